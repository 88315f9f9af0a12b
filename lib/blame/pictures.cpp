#include "blame/pictures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/shell_command.h"
#include "base/temporaries.h"
#include "device/place.h"
#include "image/output.h"
#include "replay/replayer.h"
#include "rules/rule.h"
#include "verify/picture_check.h"

namespace dp2trace::blame {
namespace {

Status BadPicture(std::string message) {
  return Failure(Rule::kIo002, std::move(message));
}

Selection SelectionOf(const std::vector<uint64_t>& numbers) {
  std::string error;
  return *Selection::Parse(numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ",")),
                           error);
}

class PictureVisitor final : public replay::ImageSink {
 public:
  using Visit = std::function<bool(const replay::ImageInfo&, const image::Picture&)>;
  explicit PictureVisitor(const Visit& visit) : visit_(visit) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    const bool is_further = info.target != 0 || info.is_stencil || info.slice.value_or(0) != 0;
    if (!is_over && !is_further) is_over = !visit_(info, picture);
    return OkStatus();
  }
  bool is_over = false;

 private:
  const Visit& visit_;
};

class RecordedVisitor final : public play::Listener {
 public:
  using Visit = std::function<bool(RecordedPicture&&)>;
  explicit RecordedVisitor(const Visit& visit) : visit_(visit) {}
  bool is_done() const override { return is_over_; }

 private:
  play::Detail detail() const override { return play::Detail::kPictures; }
  // What cannot be compared is a finding of `verify`.
  Status AfterEvent(const trace::Event& event) override {
    const auto* const picture = std::get_if<trace::Picture>(&event);
    if (picture == nullptr || picture->face != 0 || picture->level != 0) return OkStatus();
    player().FinishDrawing();
    const device::Device& device = player().device();
    const Result<verify::PicturePair> pair = verify::PairPictures(device, *picture);
    if (!pair.ok()) return OkStatus();
    const device::SurfaceRef surface =
        device::FindPlace(device, picture->space, picture->handle, 0, 0);
    const auto palette = device.PaletteOf(picture->space, *surface.resource);
    Result<image::Picture> replay = image::ToPicture(surface.surface(), surface.face, surface.level,
                                                     surface.surface().WholeLevel(surface.level),
                                                     palette ? &*palette : nullptr);
    if (!replay.ok()) return OkStatus();
    RecordedPicture recorded = {player().position().event, picture->space, picture->handle, *replay,
                                std::move(*replay)};
    Place(*pair, recorded.driver);
    is_over_ = !visit_(std::move(recorded));
    return OkStatus();
  }
  // Alpha that one side lacks is not compared: it stays that of the replay.
  static void Place(const verify::PicturePair& pair, image::Picture& whole) {
    for (uint32_t y = 0; y < pair.area.height(); ++y) {
      for (uint32_t x = 0; x < pair.area.width(); ++x) {
        const auto to = whole.at(pair.area.left + x, pair.area.top + y);
        const bool has_alpha = pair.replay.at(x, y)[3] == to[3];
        std::ranges::copy(pair.driver.at(x, y).first(has_alpha ? 4 : 3), to.begin());
      }
    }
  }

  const Visit& visit_;
  bool is_over_ = false;
};

}  // namespace

Status ForEachRecorded(play::Feed& feed, const play::Options& play,
                       const std::function<bool(RecordedPicture&&)>& visit) {
  RecordedVisitor visitor(visit);
  play::Player player(play, {&visitor});
  return feed.Play("replay", player);
}

Status ForEachPicture(
    play::Feed& feed, const play::Options& play, const WantedPictures& wanted,
    const std::function<bool(const replay::ImageInfo&, const image::Picture&)>& visit) {
  replay::Options replay;
  replay.frames = SelectionOf(wanted.frames);
  replay.draws = SelectionOf(wanted.draws);
  replay.reads = SelectionOf(wanted.reads);
  replay.stops_when_shown = true;
  replay.validation = play.validation;
  replay.raster = play.raster;
  DiagnosticList unused;  // lint reports them
  PictureVisitor visitor(visit);
  replay::Replayer replayer(replay, unused, visitor);
  Status status;
  DP2TRACE_RETURN_IF_ERROR(feed.Read("replay", [&](const trace::EventRecord& record) {
    status = replayer.OnEvent(record.number, record.event);
    unused = DiagnosticList();
    return status.ok() && !visitor.is_over && !replayer.statistics().is_stopped;
  }));
  if (status.ok() && !visitor.is_over) status = replayer.Finish();
  return status;
}

std::string TextOf(const PictureName& name) {
  if (name.read != 0) return fmt::format("read {}", name.read);
  return name.draw != 0 ? fmt::format("draw {}", name.draw) : fmt::format("frame {}", name.frame);
}

Result<image::Picture> MakePicture(const PictureCommand& command, const PictureName& name) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/picture.png";
  const std::string text = Substitute(command.text, {{"draw", fmt::format("{}", name.draw)},
                                                     {"frame", fmt::format("{}", name.frame)},
                                                     {"out", out}});
  const CommandEnd end = RunCommand(text, command.timeout);
  if (!end.is_success())
    return BadPicture(fmt::format("the command for {} {}", TextOf(name), Describe(end)));
  Result<image::Picture> picture = image::ReadPng(out, kPictureLimits);
  if (!picture.ok()) {
    return BadPicture(fmt::format("the command for {} left no picture: {}", TextOf(name),
                                  picture.status().diagnostic().message));
  }
  return picture;
}

Result<image::Picture> ReplayPicture(play::Feed& feed, const play::Options& play,
                                     const PictureName& name) {
  WantedPictures wanted;
  (name.draw != 0 ? wanted.draws : wanted.frames)
      .push_back(name.draw != 0 ? name.draw : name.frame);
  std::optional<image::Picture> found;
  const Status status = ForEachPicture(
      feed, play, wanted, [&](const replay::ImageInfo&, const image::Picture& picture) {
        found = picture;
        return false;
      });
  if (!status.ok()) return status;
  if (!found) return BadPicture(fmt::format("the replay has no picture of {}", TextOf(name)));
  return std::move(*found);
}

Result<Likeness> CompareWith(const Tolerance& tolerance, const image::Picture& replay,
                             const image::Picture& driver, const PictureName& name) {
  if (replay.width != driver.width || replay.height != driver.height) {
    return BadPicture(fmt::format("the picture of {} has {}x{} pixels, that of the replay {}x{}",
                                  TextOf(name), driver.width, driver.height, replay.width,
                                  replay.height));
  }
  const image::LooseComparison found = image::CompareLoosely(replay, driver, tolerance.loose);
  if (found.compared_pixels == 0) return Likeness::kNotCompared;
  return found.beyond.differing_pixels > tolerance.max_pixels ? Likeness::kDifferent
                                                              : Likeness::kEqual;
}

}  // namespace dp2trace::blame
