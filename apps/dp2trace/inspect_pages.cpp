#include "inspect_pages.h"

#include <fmt/format.h>

#include <filesystem>
#include <variant>

#include "base/sandbox.h"
#include "console.h"
#include "golden/trace_list.h"
#include "golden/worker_pool.h"
#include "inspect/inspector.h"
#include "options.h"
#include "trace_file/form.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// What a page may take; what it holds is bounded besides.
constexpr golden::WorkerLimits kLimits = {.timeout_s = 3600, .max_memory = 0};

// A picture is made by the event that ends its frame, or by one within it. 0: the trace cannot be read.
uint64_t FindFrame(const std::string& path, uint64_t event) {
  ExitCode code = ExitCode::kOk;
  DiagnosticList reading;  // a check has reported it
  const auto source = OpenTrace(path, kDefaultMaxMemory, reading, code);
  if (source == nullptr) return 0;
  uint64_t frame = 1;
  ForEachEvent(*source, "find the frame", [&](const trace::EventRecord& record) {
    if (record.number >= event) return false;
    frame += std::holds_alternative<trace::Present>(record.event) ? 1U : 0U;
    return true;
  });
  return frame;
}

// "#f=3&d=12&x=10&y=20"
std::string PlaceOf(uint64_t frame, const golden::ImageResult& image) {
  std::string place = fmt::format("#f={}", frame);
  if (image.draw) place += fmt::format("&d={}", image.draw->number);
  if (image.comparison && image.comparison->first)
    place += fmt::format("&x={}&y={}", image.comparison->first->x, image.comparison->first->y);
  return place;
}

}  // namespace

Result<std::string> InspectPages::Apart(const std::string& trace, const std::string& folder,
                                        const std::function<Result<std::string>()>& work) const {
  golden::WorkerPool pool(1, kLimits);
  pool.Start(0, [&] {
    if (is_sandboxed_) {
      SandboxPaths paths = {.readable = trace_file::ReadPathsOf(trace), .writable = {}};
      if (!folder.empty()) paths.writable.push_back(folder);
      EnterSandbox(paths);
    }
    const Result<std::string> done = work();
    return done.ok() ? "+" + *done : "-" + done.status().diagnostic().message;
  });
  const golden::WorkerEnd end = pool.Wait();
  if (end.kind != golden::WorkerEnd::Kind::kFinished || end.output.empty())
    return Failure(kCannotWrite, fmt::format("{}: {}", trace, end.reason));
  if (end.output.front() == '-') return Failure(kCannotWrite, end.output.substr(1));
  return end.output.substr(1);
}

std::optional<uint64_t> InspectPages::FrameOf(const std::string& path, uint64_t event) const {
  const Result<std::string> frame = Apart(
      path, "", [&]() -> Result<std::string> { return fmt::format("{}", FindFrame(path, event)); });
  const uint64_t number = frame.ok() ? std::stoull(*frame) : 0;
  return number == 0 ? std::nullopt : std::optional(number);
}

bool InspectPages::IsUsable(const std::string& path, const golden::TraceResult& result) {
  const auto [found, is_new] = usable_.try_emplace(path, false);
  if (!is_new) return found->second;
  const Result<std::string> hash = golden::HashOfTrace(path);
  if (!hash.ok() || *hash != result.hash) {
    PrintNote(fmt::format(
        "{}: {}: its frames cannot be inspected", path,
        hash.ok() ? "it is not the trace that was checked" : hash.status().diagnostic().message));
    return false;
  }
  return found->second = true;
}

Result<std::string> InspectPages::Add(const std::string& folder, const golden::TraceResult& result,
                                      const golden::ImageResult& image) {
  const std::string path = traces_ + result.path;
  if (!IsUsable(path, result)) return std::string();
  const std::optional<uint64_t> frame =
      image.key.kind == replay::ImageKind::kFrame ? image.key.sequence : FrameOf(path, image.event);
  if (!frame) return std::string();
  const auto [page, is_new] = pages_.try_emplace({result.hash, *frame});
  if (is_new && written_ == most_) {
    ++left_out_;
  } else if (is_new) {
    Result<std::string> written =
        Apart(path, folder, [&] { return Write(folder, path, result, *frame); });
    if (!written.ok()) return written.status();
    page->second = std::move(*written);
    written_ += page->second.empty() ? 0U : 1U;
  }
  return page->second.empty() ? std::string() : page->second + PlaceOf(*frame, image);
}

Result<std::string> InspectPages::Write(const std::string& folder, const std::string& path,
                                        const golden::TraceResult& result, uint64_t frame) {
  ExitCode code = ExitCode::kOk;
  DiagnosticList reading;  // a check has reported it
  const auto source = trace_file::WithResults(OpenTrace(path, kDefaultMaxMemory, reading, code));
  if (source == nullptr) return std::string();
  const std::string page = fmt::format("inspect/{}-{}", result.hash, frame);
  std::error_code error;
  std::filesystem::create_directories(folder + "/inspect", error);
  Result<inspect::DataFolder> data = inspect::DataFolder::Create(folder + "/" + page);
  if (!data.ok()) return data.status();
  DP2TRACE_RETURN_IF_ERROR(data->WritePage());
  inspect::Options options;
  std::string unused;
  options.frames = *Selection::Parse(fmt::format("{}", frame), unused);
  inspect::Inspector inspector(options, *data);
  Status status;
  ForEachEvent(*source, "inspect " + result.path, [&](const trace::EventRecord& record) {
    status = inspector.OnEvent(record.number, record.event);
    return status.ok() && !inspector.is_done();
  });
  const std::string name = std::filesystem::path(path).filename().string();
  if (status.ok()) status = inspector.Finish({.tool = "dp2trace " DP2TRACE_VERSION, .trace = name});
  if (status.ok() && inspector.frames().empty()) return std::string();
  if (status.ok()) status = data->Commit();
  if (!status.ok()) return status;
  return page + "/index.html";
}

void InspectPages::Report() const {
  if (left_out_ != 0) {
    PrintNote(fmt::format("frames without a page of their own: {}; --max-inspect raises the limit",
                          left_out_));
  }
}

}  // namespace dp2trace::app
