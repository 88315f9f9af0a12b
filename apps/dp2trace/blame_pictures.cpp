#include "blame_pictures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>

#include "base/shell_command.h"
#include "base/temporaries.h"
#include "replay/replayer.h"
#include "rules/rule.h"
#include "work.h"

namespace dp2trace::app {
namespace {

Status BadPicture(std::string message) {
  return Failure(Rule::kIo002, std::move(message));
}

Selection SelectionOf(const std::vector<uint64_t>& numbers) {
  std::string error;
  return *Selection::Parse(numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ",")),
                           error);
}

class Visitor final : public replay::ImageSink {
 public:
  using Visit = std::function<bool(const replay::ImageInfo&, const image::Picture&)>;
  explicit Visitor(const Visit& visit) : visit_(visit) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    const bool is_further = info.target != 0 || info.is_stencil || info.slice.value_or(0) != 0;
    if (!is_over && !is_further) is_over = !visit_(info, picture);
    return OkStatus();
  }
  bool is_over = false;

 private:
  const Visit& visit_;
};

}  // namespace

Status ForEachPicture(
    const BlameVerb& options, const WantedPictures& wanted,
    const std::function<bool(const replay::ImageInfo&, const image::Picture&)>& visit) {
  DiagnosticList findings;
  trace_file::OpenError error;
  const auto source = trace_file::WithResults(
      trace_file::Source::Open(options.trace, options.max_memory, findings, error));
  if (source == nullptr) return BadPicture("the trace cannot be read again");
  replay::Options replay;
  replay.frames = SelectionOf(wanted.frames);
  replay.draws = SelectionOf(wanted.draws);
  replay.reads = SelectionOf({});
  replay.stops_when_shown = true;
  replay.validation = options.play.validation;
  replay.raster = options.play.raster;
  DiagnosticList unused;  // lint reports them
  Visitor visitor(visit);
  replay::Replayer replayer(replay, unused, visitor);
  Status status;
  DP2TRACE_RETURN_IF_ERROR(ForEachEvent(*source, "replay", [&](const trace::EventRecord& record) {
    status = replayer.OnEvent(record.number, record.event);
    unused = DiagnosticList();
    return status.ok() && !visitor.is_over && !replayer.statistics().is_stopped;
  }));
  if (status.ok() && !visitor.is_over) status = replayer.Finish();
  return status;
}

std::string TextOf(const PictureName& name) {
  return name.draw != 0 ? fmt::format("draw {}", name.draw) : fmt::format("frame {}", name.frame);
}

Result<image::Picture> MakePicture(const BlameVerb& options, const PictureName& name) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/picture.png";
  const std::string command = Substitute(options.run, {{"draw", fmt::format("{}", name.draw)},
                                                       {"frame", fmt::format("{}", name.frame)},
                                                       {"out", out}});
  std::optional<std::chrono::milliseconds> timeout;
  if (options.timeout != 0) timeout = std::chrono::seconds(options.timeout);
  const CommandEnd end = RunCommand(command, timeout);
  if (!end.is_success())
    return BadPicture(fmt::format("the command for {} {}", TextOf(name), Describe(end)));
  Result<image::Picture> picture = image::ReadPng(out, kPictureLimits);
  if (!picture.ok()) {
    return BadPicture(fmt::format("the command for {} left no picture: {}", TextOf(name),
                                  picture.status().diagnostic().message));
  }
  return picture;
}

Result<image::Picture> ReplayPicture(const BlameVerb& options, const PictureName& name) {
  WantedPictures wanted;
  (name.draw != 0 ? wanted.draws : wanted.frames)
      .push_back(name.draw != 0 ? name.draw : name.frame);
  std::optional<image::Picture> found;
  const Status status =
      ForEachPicture(options, wanted, [&](const replay::ImageInfo&, const image::Picture& picture) {
        found = picture;
        return false;
      });
  if (!status.ok()) return status;
  if (!found) return BadPicture(fmt::format("the replay has no picture of {}", TextOf(name)));
  return std::move(*found);
}

Result<Likeness> CompareWith(const BlameVerb& options, const image::Picture& replay,
                             const image::Picture& driver, const std::string& name) {
  if (replay.width != driver.width || replay.height != driver.height) {
    return BadPicture(fmt::format("the picture of {} has {}x{} pixels, that of the replay {}x{}",
                                  name, driver.width, driver.height, replay.width, replay.height));
  }
  const image::LooseComparison found = image::CompareLoosely(replay, driver, options.loose);
  if (found.compared_pixels == 0) return Likeness::kNotCompared;
  return found.beyond.differing_pixels != 0 ? Likeness::kDifferent : Likeness::kEqual;
}

}  // namespace dp2trace::app
