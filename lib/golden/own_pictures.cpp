#include "golden/own_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/plain_text.h"
#include "base/shell_command.h"
#include "base/temporaries.h"
#include "d3d/formats.h"
#include "golden/trace_replay.h"
#include "image/diagnosis.h"
#include "image/loose_compare.h"
#include "image/output.h"
#include "image/png.h"
#include "os/path.h"
#include "os/worker_pool.h"
#include "replay/last_writer_finder.h"

namespace dp2trace::golden {
namespace {

// Exit codes from here on stand for a signal, or for an exception of Windows.
constexpr int kFirstSignalCode = 129;
// Source: POSIX.1-2017, Shell Command Language, 2.8.2 Exit Status for Commands.
constexpr int kNotExecutable = 126, kNotFound = 127;

image::LooseOptions LooseOptionsOf(const OwnPictures& own, d3d::Format format) {
  const d3d::FormatInfo* const info = d3d::FindFormat(format);
  return {.tolerance = static_cast<uint8_t>(own.tolerance),
          .ignores_alpha = info == nullptr || !info->has_alpha(),
          .edge_pixels = own.edge_pixels};
}

GoldenStatus StatusOf(const CommandEnd& end) {
  using enum CommandEnd::Kind;
  if (end.kind == kTimedOut) return GoldenStatus::kTimeOut;
  const bool has_crashed =
      end.kind == kSignaled ||
      (end.kind == kExited && (end.value >= kFirstSignalCode || end.value < 0));
  return has_crashed ? GoldenStatus::kCrash : GoldenStatus::kRenderError;
}

// Each line as text that does nothing but be read, with what a path stands for in its place: that differs from run to run.
std::string PlainLines(
    std::string_view output,
    std::initializer_list<std::pair<std::string_view, std::string_view>> places) {
  std::string out;
  while (!output.empty()) {
    const size_t end = std::min(output.find('\n'), output.size());
    std::string line(output.substr(0, end - (end > 0 && output[end - 1] == '\r' ? 1 : 0)));
    for (const auto& [path, place] : places) {
      for (size_t at = line.find(path); at != std::string::npos;
           at = line.find(path, at + place.size()))
        line.replace(at, path.size(), place);
    }
    out += (out.empty() ? "" : "\n") + Plain(line);
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return out;
}

// False where the command did not succeed, which the record says.
bool Run(const OwnPictures& own, const std::string& path, const std::string& out,
         RenderRecord& record) {
  const std::string command = Substitute(own.command, {{"trace", path}, {"out", out}});
  std::optional<std::chrono::milliseconds> timeout;
  if (own.timeout_s != 0) timeout = std::chrono::seconds(own.timeout_s);
  const CommandEnd end = RunCommand(command, timeout, CommandOutput::kKept);
  record.output = PlainLines(end.output, {{path, "{trace}"}, {out, "{out}"}});
  if (end.is_success()) return true;
  record.failure = StatusOf(end);
  record.is_command_missing = end.kind == CommandEnd::Kind::kExited &&
                              (end.value == kNotExecutable || end.value == kNotFound);
  if (record.is_command_missing) {
    record.error = fmt::format("the shell cannot run the command (exit code {})", end.value);
    return false;
  }
  record.error = fmt::format("the command {}", Describe(end));
  // What was denied is not known.
  if (record.failure != GoldenStatus::kTimeOut && own.max_memory != 0 &&
      end.peak_memory > own.max_memory / 2) {
    record.error += fmt::format("; it had more than half of its limit of {} MiB of memory",
                                own.max_memory >> 20);
  }
  return false;
}

// The counterpart of OwnPictureFile(); nothing for other names.
std::optional<ImageKey> KeyOfFile(std::string_view name) {
  for (const replay::ImageKind kind : {replay::ImageKind::kFrame, replay::ImageKind::kRead}) {
    ImageKey key;
    key.kind = kind;
    const std::string start = fmt::format("{}-", replay::Name(kind));
    if (!name.starts_with(start)) continue;
    (void)std::from_chars(name.data() + start.size(), name.data() + name.size(), key.sequence);
    if (name == OwnPictureFile(key)) return key;
  }
  return std::nullopt;
}

// Looks at the pictures of a replay, one after the other.
class Comparer {
 public:
  Comparer(const OwnPictures& own, const std::string& folder, const PictureKeeping& keeping,
           RenderRecord& record)
      : own_(own), folder_(folder), keeping_(keeping), record_(record) {}

  Status OnImage(const replay::ImageInfo& info, const image::Picture& reference) {
    named_.insert(info.file);
    const std::string file = PathOf(info.file);
    std::error_code error;
    if (!std::filesystem::exists(ToPath(file), error)) return OkStatus();
    const Result<image::Picture> own = image::ReadPng(file);
    if (!own.ok()) return own.status();
    GoldenImage image = ImageOf(info);
    if (!IsNear(info, reference, *own)) {
      DP2TRACE_RETURN_IF_ERROR(Keep(image, reference));
      image.hash = image::HashOf(*own, info.format);
      image.raw_hash.clear();
      DP2TRACE_RETURN_IF_ERROR(Keep(image, *own));
    }
    record_.images.push_back({image, info.event});
    return OkStatus();
  }

  // Pictures of further frames and reads, after those of the replay.
  Status AddFurther() {
    std::error_code error;
    std::set<std::string> names;
    for (std::filesystem::directory_iterator entry(ToPath(folder_), error), end; entry != end;
         entry.increment(error))
      names.insert(ToText(entry->path().filename()));
    for (const std::string& name : names) {
      const std::optional<ImageKey> key = named_.contains(name) ? std::nullopt : KeyOfFile(name);
      if (!key) continue;
      const Result<image::Picture> own = image::ReadPng(PathOf(name));
      if (!own.ok()) return own.status();
      constexpr d3d::Format kFormat = d3d::Format::A8R8G8B8;
      const GoldenImage image = {*key, static_cast<uint32_t>(kFormat),
                                 image::HashOf(*own, kFormat)};
      DP2TRACE_RETURN_IF_ERROR(Keep(image, *own));
      record_.images.push_back({image, 0});
    }
    return OkStatus();
  }

 private:
  std::string PathOf(const std::string& name) const {
    return ToText(ToPath(folder_) / ToPath(name));
  }
  bool IsNear(const replay::ImageInfo& info, const image::Picture& reference,
              const image::Picture& own) const {
    const image::LooseComparison found =
        image::CompareLoosely(reference, own, LooseOptionsOf(own_, info.format));
    return found.beyond.same_size && found.beyond.differing_pixels <= own_.max_pixels;
  }
  // Neither picture is an expected one that the store has to have.
  Status Keep(const GoldenImage& image, const image::Picture& picture) {
    if (!MustKeep(keeping_, nullptr, image)) return OkStatus();
    return keeping_.actual->Write(image.hash, picture).status();
  }

  const OwnPictures& own_;
  const std::string& folder_;
  const PictureKeeping& keeping_;
  RenderRecord& record_;
  std::set<std::string> named_;  // files of the replay
};

}  // namespace

std::string OwnPictureFile(const ImageKey& key) {
  return fmt::format("{}-{:06}.png", replay::Name(key.kind), key.sequence);
}

RenderRecord CompareOwnPictures(const std::string& path, uint64_t max_memory,
                                const ManifestTrace* expected, const PictureKeeping& keeping,
                                const DrawingOptions& drawing, const OwnPictures& own) {
  RenderRecord record;
  if (expected != nullptr) record.findings = expected->findings;
  std::optional<TemporaryFolder> made;
  if (!own.command.empty()) {
    LeaveWithParent(RemoveTemporaries);  // what the command has started, and its folder
    made.emplace();
  }
  const std::string& folder = made ? made->path() : own.folder;
  if (made && folder.empty()) {
    record.error = "no folder for the pictures could be made";
    return record;
  }
  if (made && !Run(own, path, folder, record)) return record;
  Comparer comparer(own, folder, keeping, record);
  DiagnosticList findings;
  const ReplayEnd end =
      ReplayTrace({path, max_memory, &drawing}, findings,
                  [&](const replay::ImageInfo& info, const image::Picture& picture) {
                    return comparer.OnImage(info, picture);
                  });
  record.error = end.error;
  record.failure = end.failure;
  if (!record.error.empty()) return record;
  if (const Status status = comparer.AddFurther(); !status.ok())
    record.error = status.diagnostic().message;
  return record;
}

void ExplainOwnPicture(const std::string& path, uint64_t max_memory, const PictureStore& actual,
                       const DrawingOptions& drawing, const OwnPictures& own, TraceResult& result) {
  const std::optional<size_t> first = FirstDifferent(result);
  if (!first) return;
  ImageResult& image = result.images[*first];
  const Result<image::Picture> theirs = actual.Read(image.actual->hash, image.actual->format);
  const std::optional<Made> made = MakeOne(path, max_memory, drawing, image.key);
  if (!theirs.ok() || !made) return;
  const image::LooseOptions options = LooseOptionsOf(own, made->info.format);
  image::Comparison found = image::CompareLoosely(made->picture, *theirs, options).beyond;
  const std::optional<image::Diagnosis> diagnosis =
      image::Diagnose(made->picture, *theirs, options);
  if (diagnosis && diagnosis->fault == image::PictureFault::kHalfPixel) {
    const auto moved = image::FindMoved(made->picture, *theirs, options, *diagnosis);
    const auto draw_of = [&](uint32_t x, uint32_t y) {
      return FindDraw(path, max_memory, drawing, made->info, x, y);
    };
    if (!moved.empty()) {
      const image::MovedPixel& at = moved.front();
      image.edge_draw = replay::DrawOfEdge(draw_of(at.x, at.y), draw_of(at.from_x, at.from_y));
    }
  }
  Explain(path, max_memory, drawing, made->info, std::move(found), image, result.message);
  if (diagnosis) result.message += fmt::format("; diagnosis: {}", image::Describe(*diagnosis));
  if (const auto& edge = image.edge_draw) {
    result.message += fmt::format(", the first of draw {} (event {}, {})", edge->number,
                                  edge->event, edge->operation);
  }
  result.message += made->refused;
}

}  // namespace dp2trace::golden
