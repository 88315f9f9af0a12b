// The C functions of a view: a session of the live page, and files for what is loaded.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/catch.h"
#include "api/dp2trace.h"
#include "api/options.h"
#include "base/file.h"
#include "base/floats.h"
#include "base/temporaries.h"
#include "json/append.h"
#include "live/loader.h"
#include "live/session.h"
#include "os/path.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): the functions below are C

namespace {

constexpr const char* kTool = "dp2trace " DP2TRACE_VERSION;
// Of a process that has other work, or of a page.
constexpr uint64_t kMaxKept = uint64_t{256} << 20, kMaxKeyframes = uint64_t{256} << 20;

Status WriteBytes(const std::string& path, Bytes bytes) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(bytes));
  return file->Commit(Sync::kNone);
}

// The user's own name where any system takes it: what is made of a file, and what is said of it, have it.
std::string FileNameOf(const std::string& name) {
  constexpr size_t kLongest = 200;
  constexpr std::string_view kRefused = "\\:*?\"<>|";
  std::string last = NameOf(name);
  const bool is_plain =
      !last.empty() && last.size() <= kLongest && last != "." && last != ".." &&
      std::ranges::all_of(last, [kRefused](char c) {
        return static_cast<unsigned char>(c) >= ' ' && kRefused.find(c) == std::string_view::npos;
      });
  return is_plain ? last : "trace" + live::ExtensionOf(name);
}

void RemoveFile(const std::string& path) {
  std::error_code ignored;  // the folder goes with the view
  if (!path.empty()) std::filesystem::remove(ToPath(path), ignored);
}

}  // namespace

struct dp2trace_view {
  dp2trace_view(play::Options play_options, uint64_t memory)
      : play(std::move(play_options)), max_memory(memory) {
    std::error_code ignored;  // files say it
    for (const char* const part : {"trace", "beside"})
      std::filesystem::create_directories(ToPath(PathOf(part)), ignored);
  }
  dp2trace_view(const dp2trace_view&) = delete;
  dp2trace_view& operator=(const dp2trace_view&) = delete;
  ~dp2trace_view() { Clear(); }

  std::string PathOf(const std::string& name) const { return folder.path() + "/" + name; }
  void Clear() {
    session.reset();
    for (const std::string& path :
         {std::exchange(file, {}), std::exchange(beside, {}), PathOf("imported.dp2t"),
          PathOf("beside.dp2t"), PathOf("edited.dp2t")})
      RemoveFile(path);
  }

  Result<std::string> Load(const std::string& name, Bytes bytes) {
    Clear();
    file = PathOf("trace/" + FileNameOf(name));
    DP2TRACE_RETURN_IF_ERROR(WriteBytes(file, bytes));
    const Result<live::Loaded> loaded =
        live::Load(file, PathOf("imported.dp2t"), kTool, max_memory,
                   [this, size = bytes.size()](uint64_t done) { return watch.Look(done, size); });
    if (!loaded.ok()) return loaded.status();
    if (loaded->path != file) RemoveFile(std::exchange(file, {}));
    Result<std::unique_ptr<live::Session>> opened =
        live::Session::Open({.tool = kTool,
                             .name = name,
                             .path = loaded->path,
                             .place = PathOf("edited.dp2t"),
                             .watch = &watch,
                             .max_memory = max_memory,
                             .max_kept = kMaxKept,
                             .max_keyframes = kMaxKeyframes,
                             .limits = {},
                             .play = play});
    if (!opened.ok()) return opened.status();
    session = std::move(*opened);
    json::Builder out;
    out.Raw('{');
    json::AppendList(out, "notes", loaded->notes,
                     [&](const std::string& note) { out.String(Plainly(note)); });
    out.Raw('}');
    return std::move(out.string());
  }

  // The file that was there goes: memory may be short.
  Result<std::string> LoadBeside(const std::string& name, Bytes bytes) {
    RemoveFile(beside);
    RemoveFile(PathOf("beside.dp2t"));
    beside = PathOf("beside/" + FileNameOf(name));
    DP2TRACE_RETURN_IF_ERROR(WriteBytes(beside, bytes));
    return session->Put({.name = name, .path = beside, .imported = PathOf("beside.dp2t")});
  }

  Result<std::string> Save() const {
    const Result<std::vector<uint8_t>> bytes = ReadWholeFile(session->path(), UINT64_MAX);
    if (!bytes.ok()) return bytes.status();
    return std::string(bytes->begin(), bytes->end());
  }

  // What a function returns, and its answer, or why there is none.
  int Finish(int result, std::string text) {
    answer = std::move(text);
    return result;
  }
  // A sentence about files, which nobody knows by the folder that they lie in.
  std::string Plainly(std::string text) const {
    for (const char* const part : {"/trace/", "/beside/", "/"}) {
      const std::string prefix = folder.path() + part;
      for (size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;)
        text.erase(at, prefix.size());
    }
    return text;
  }

  TemporaryFolder folder;
  play::Options play;
  uint64_t max_memory;
  live::Watch watch;
  std::string file, beside;  // paths; empty: there is none
  std::unique_ptr<live::Session> session;
  std::string answer;
};

namespace {

// Runs a function that answers; `result` where it does not.
template <class F>
int Answer(dp2trace_view* view, int result, const F& function) {
  if (view == nullptr) return DP2TRACE_E_ARGUMENT;
  const DefaultFloats floats;
  try {
    Result<std::string> answer = function(*view);
    if (answer.ok()) return view->Finish(DP2TRACE_OK, std::move(*answer));
    return view->Finish(view->watch.Check().ok() ? result : DP2TRACE_E_ENDED,
                        view->Plainly(answer.status().diagnostic().message));
  } catch (const std::bad_alloc&) {
    view->session.reset();
    return view->Finish(DP2TRACE_E_MEMORY, dp2trace_describe(DP2TRACE_E_MEMORY));
  } catch (...) {
    view->session.reset();
    return view->Finish(DP2TRACE_E_INTERNAL, dp2trace_describe(DP2TRACE_E_INTERNAL));
  }
}

// The same, where something is loaded.
template <class F>
int AnswerOfTrace(dp2trace_view* view, int result, const F& function) {
  return Answer(view, result, [&](dp2trace_view& v) -> Result<std::string> {
    if (v.session == nullptr) return Failure(kCannotRead, "no trace is open");
    return function(v);
  });
}

int Refuse(dp2trace_view* view) {
  return view == nullptr
             ? DP2TRACE_E_ARGUMENT
             : view->Finish(DP2TRACE_E_ARGUMENT, dp2trace_describe(DP2TRACE_E_ARGUMENT));
}

}  // namespace

int dp2trace_view_open(const dp2trace_options* options, dp2trace_view** view) {
  if (view == nullptr) return DP2TRACE_E_ARGUMENT;
  *view = nullptr;
  return api::Catch([&]() -> int {
    const dp2trace_options asked = options != nullptr ? *options : api::DefaultOptions();
    std::optional<play::Options> play = api::PlayOptionsOf(asked);
    if (!play || asked.is_lint != 0 || asked.is_verify != 0) return DP2TRACE_E_ARGUMENT;
    // As the program: what a file of that size may take.
    if (asked.max_surface_memory == api::DefaultOptions().max_surface_memory)
      play->validation.max_surface_bytes.reset();
    auto made = std::make_unique<dp2trace_view>(std::move(*play), asked.max_memory);
    if (made->folder.path().empty()) return DP2TRACE_E_INTERNAL;
    *view = made.release();
    return DP2TRACE_OK;
  });
}

void dp2trace_view_close(dp2trace_view* view) {
  const DefaultFloats floats;
  delete view;
}

int dp2trace_view_load(dp2trace_view* view, const char* name, const void* bytes, size_t size) {
  if (name == nullptr || (bytes == nullptr && size != 0)) return Refuse(view);
  return Answer(view, DP2TRACE_E_INPUT, [&](dp2trace_view& v) {
    v.watch.Start();
    return v.Load(name, {static_cast<const uint8_t*>(bytes), size});
  });
}

int dp2trace_view_load_beside(dp2trace_view* view, const char* name, const void* bytes,
                              size_t size) {
  if (name == nullptr || (bytes == nullptr && size != 0)) return Refuse(view);
  return AnswerOfTrace(view, DP2TRACE_E_INPUT, [&](dp2trace_view& v) {
    return v.LoadBeside(name, {static_cast<const uint8_t*>(bytes), size});
  });
}

int dp2trace_view_ask(dp2trace_view* view, const char* question) {
  if (question == nullptr) return Refuse(view);
  return AnswerOfTrace(view, DP2TRACE_E_NOT_FOUND,
                       [question](dp2trace_view& v) { return v.session->Ask(question); });
}

int dp2trace_view_save(dp2trace_view* view) {
  return AnswerOfTrace(view, DP2TRACE_E_NOT_FOUND, [](dp2trace_view& v) { return v.Save(); });
}

const char* dp2trace_view_answer(dp2trace_view* view, size_t* size) {
  if (size != nullptr) *size = view != nullptr ? view->answer.size() : 0;
  return view != nullptr ? view->answer.c_str() : "";
}

void dp2trace_view_cancel(dp2trace_view* view) {
  if (view != nullptr) view->watch.Cancel();
}

void dp2trace_view_get_progress(dp2trace_view* view, uint64_t* done, uint64_t* size) {
  if (done != nullptr) *done = view != nullptr ? view->watch.done() : 0;
  if (size != nullptr) *size = view != nullptr ? view->watch.size() : 0;
}
