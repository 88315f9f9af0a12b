#include "reduce/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "base/shell_command.h"
#include "base/temporaries.h"
#include "d3d/notation.h"
#include "image/png.h"
#include "play/player.h"
#include "replay/replayer.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "trace_model/broken_rules.h"
#include "trace_model/scratch_device.h"

namespace dp2trace::reduce {
namespace {

Status BadGoal(std::string message) {
  return Failure(Rule::kIo001, std::move(message));
}

// Keeps one picture: the last one.
class LastPicture final : public replay::ImageSink {
 public:
  explicit LastPicture(GoalPicture kept)
      : kept_(kept == GoalPicture::kRead ? replay::ImageKind::kRead : replay::ImageKind::kFrame) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& image) override {
    if (info.kind == kept_) picture = image;
    return OkStatus();
  }
  std::optional<image::Picture> picture;

 private:
  replay::ImageKind kept_;
};

std::optional<image::Picture> ShowLast(GoalPicture shown, const trace_model::Model& model,
                                       const trace_model::RenderOptions& options,
                                       WorkBudget& work) {
  const trace_model::BuiltTrace trace(model);
  replay::Options replay;
  for (const RuleInfo& row : AllRules())
    replay.validation.rules.Mute(row.rule);
  std::string error;
  if (shown == GoalPicture::kFrame) replay.reads = Selection::Parse("none", error);
  replay.validation.file_bytes = options.work.file_bytes;
  replay.validation.work = &work;
  replay.renderer = options.renderer;
  replay.raster = options.raster;
  DiagnosticList findings;
  LastPicture images(shown);
  replay::Replayer replayer(replay, findings, images);
  uint64_t number = 0;
  Status status;
  for (const trace::Event& event : trace.events()) {
    status = replayer.OnEvent(number++, event);
    if (!status.ok()) break;
  }
  if (status.ok()) status = replayer.Finish();
  if (!status.ok() || replayer.device().work().is_spent()) return std::nullopt;
  return std::move(images.picture);
}

class FindingGoal final : public Goal {
 public:
  FindingGoal(Rule rule, const trace_model::WorkBounds& bounds) : rule_(rule) {
    options_.max_steps = bounds.max_steps;
    options_.file_bytes = bounds.file_bytes;
    for (const RuleInfo& row : AllRules()) {
      if (row.rule != rule) options_.rules.Mute(row.rule);
    }
  }

  // That of the first finding.
  Result<std::optional<uint64_t>> FindFrame(trace_file::Source& source,
                                            const trace_model::Walk& walk) const override {
    DiagnosticList findings;
    play::Player player({.validation = options_, .raster = {}}, findings, {});
    uint64_t frame = 1;
    DP2TRACE_RETURN_IF_ERROR(
        walk(source, "find the finding", [&](const trace::EventRecord& record) {
          frame = player.position().frame;
          return player.OnEvent(record.number, record.event).ok() && findings.empty();
        }));
    if (!findings.empty()) return std::optional(frame);
    DP2TRACE_RETURN_IF_ERROR(player.CheckWork());
    return std::optional<uint64_t>();
  }

  bool Holds(const trace_model::Model& model, WorkBudget& work) const override {
    DiagnosticList findings;
    return trace_model::LintModel(model, options_, work, findings) && !findings.empty();
  }
  std::string WhyNot(const trace_model::Model& /*model*/, WorkBudget& /*work*/) const override {
    return fmt::format("the trace has no finding of {}", Info(rule_).id);
  }

 private:
  Rule rule_;
  play::RunnerOptions options_;
};

class PixelGoal final : public Goal {
 public:
  struct Pixel {
    uint32_t x = 0, y = 0, rgb = 0;
  };
  PixelGoal(const Pixel& pixel, std::optional<uint64_t> frame, trace_model::RenderOptions options,
            GoalPicture shown)
      : pixel_(pixel), frame_(frame), options_(std::move(options)), shown_(shown) {}

  bool Holds(const trace_model::Model& model, WorkBudget& work) const override {
    const std::optional<image::Picture> picture = ShowLast(shown_, model, options_, work);
    if (!picture || pixel_.x >= picture->width || pixel_.y >= picture->height) return false;
    return ColorOf(*picture) == pixel_.rgb;
  }
  std::string WhyNot(const trace_model::Model& model, WorkBudget& work) const override {
    const std::optional<image::Picture> picture = ShowLast(shown_, model, options_, work);
    if (!picture) return "there is no picture";
    if (pixel_.x >= picture->width || pixel_.y >= picture->height) {
      return fmt::format("pixel {},{} is outside of the picture of {}x{} pixels", pixel_.x,
                         pixel_.y, picture->width, picture->height);
    }
    return fmt::format("pixel {},{} is #{:06x}, expected #{:06x}", pixel_.x, pixel_.y,
                       ColorOf(*picture), pixel_.rgb);
  }
  std::optional<uint64_t> asked_frame() const override { return frame_; }

 private:
  uint32_t ColorOf(const image::Picture& picture) const {
    const auto at = picture.at(pixel_.x, pixel_.y);
    return uint32_t{at[0]} << 16 | uint32_t{at[1]} << 8 | at[2];
  }

  Pixel pixel_;
  std::optional<uint64_t> frame_;
  trace_model::RenderOptions options_;
  GoalPicture shown_;
};

// The pixel that differs most keeps its colour. Which one that is, and the colour, the first model says.
class PictureGoal final : public Goal {
 public:
  PictureGoal(image::Picture picture, trace_model::RenderOptions options, GoalPicture shown)
      : picture_(std::move(picture)), options_(std::move(options)), shown_(shown) {}

  bool Holds(const trace_model::Model& model, WorkBudget& work) const override {
    std::call_once(once_, [&] { Find(model, work); });
    return pixel_ != nullptr && pixel_->Holds(model, work);
  }
  std::string WhyNot(const trace_model::Model& model, WorkBudget& work) const override {
    const std::optional<image::Picture> shown = ShowLast(shown_, model, options_, work);
    if (!shown) return "there is no picture";
    if (shown->width == picture_.width && shown->height == picture_.height)
      return "the pictures are equal";
    return fmt::format("the picture has {}x{} pixels, that of the trace {}x{}", picture_.width,
                       picture_.height, shown->width, shown->height);
  }

 private:
  void Find(const trace_model::Model& model, WorkBudget& work) const {
    const std::optional<image::Picture> shown = ShowLast(shown_, model, options_, work);
    if (!shown || shown->width != picture_.width || shown->height != picture_.height) return;
    int most = 0;
    for (uint32_t y = 0; y < shown->height; ++y) {
      for (uint32_t x = 0; x < shown->width; ++x) {
        const auto a = shown->at(x, y);
        const auto b = picture_.at(x, y);
        const int difference =
            std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
        if (difference <= most) continue;
        most = difference;
        const uint32_t rgb = uint32_t{a[0]} << 16 | uint32_t{a[1]} << 8 | a[2];
        pixel_ = std::make_unique<PixelGoal>(PixelGoal::Pixel{x, y, rgb}, std::nullopt, options_,
                                             shown_);
      }
    }
  }

  image::Picture picture_;
  trace_model::RenderOptions options_;
  GoalPicture shown_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<PixelGoal> pixel_;
};

// A command of the user that ends with 0 where the trace still does it.
class CommandGoal final : public Goal {
 public:
  explicit CommandGoal(std::string command) : command_(std::move(command)) {}

  // What the command takes is the user's.
  bool Holds(const trace_model::Model& model, WorkBudget& /*work*/) const override {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/trace.dp2t";
    auto sink = trace_file::Sink::Create(path, trace_file::Form::kBinary);
    if (!sink.ok() || !trace_model::BuiltTrace(model).Write(**sink).ok()) return false;
    return RunCommand(Substitute(command_, {{"trace", path}})).is_success();
  }
  std::string WhyNot(const trace_model::Model& /*model*/, WorkBudget& /*work*/) const override {
    return "the command does not end with 0 for the whole trace";
  }

 private:
  std::string command_;
};

bool ParseNumber(std::string_view& text, int base, char end, uint64_t& number) {
  const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(next - text.data()));
  if (end == '\0') return true;
  if (text.empty() || text.front() != end) return false;
  text.remove_prefix(1);
  return true;
}

Result<std::unique_ptr<Goal>> MakePixelGoal(std::string_view text,
                                            const trace_model::RenderOptions& options,
                                            GoalPicture shown) {
  uint64_t x = 0;
  uint64_t y = 0;
  uint64_t frame = 0;
  const bool is_place = ParseNumber(text, 10, ',', x) && ParseNumber(text, 10, ',', y) &&
                        x <= UINT32_MAX && y <= UINT32_MAX;
  const size_t end = std::min(text.find('@'), text.size());
  const std::string color(text.substr(0, end));
  const std::optional<uint32_t> argb =
      d3d::ParseColor(color.starts_with('#') ? color : "#" + color);
  text.remove_prefix(end);
  const bool has_frame = text.starts_with('@');
  if (has_frame) text.remove_prefix(1);
  if (!is_place || !argb || (has_frame && !ParseNumber(text, 10, '\0', frame)) || !text.empty())
    return BadGoal("a pixel is X,Y,#rrggbb or X,Y,#rrggbb@FRAME");
  if (has_frame && shown == GoalPicture::kRead)
    return BadGoal("@FRAME is the frame of a picture; with --read it is that of the read");
  return std::unique_ptr<Goal>(std::make_unique<PixelGoal>(
      PixelGoal::Pixel{static_cast<uint32_t>(x), static_cast<uint32_t>(y), *argb & 0xFFFFFF},
      has_frame ? std::optional(frame) : std::nullopt, options, shown));
}

}  // namespace

Result<std::unique_ptr<Goal>> MakeGoal(const std::string& text,
                                       const trace_model::RenderOptions& options,
                                       GoalPicture shown) {
  const size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (kind == "finding") {
    if (value.empty()) return BadGoal("finding needs a rule: finding=DP2-DRAW-001");
    const std::optional<Rule> rule = FindRule(value);
    if (!rule) return BadGoal(fmt::format("'{}' is not a rule", value));
    return std::unique_ptr<Goal>(std::make_unique<FindingGoal>(*rule, options.work));
  }
  if (kind == "pixel") return MakePixelGoal(value, options, shown);
  if (kind == "differs-from") {
    Result<image::Picture> picture = image::ReadPng(value);
    if (!picture.ok()) return picture.status();
    return std::unique_ptr<Goal>(
        std::make_unique<PictureGoal>(std::move(*picture), options, shown));
  }
  if (kind == "run" && !value.empty()) {
    constexpr std::string_view kPlaces[] = {"trace"};
    if (const std::string wrong = FindPlaceError(value, kPlaces); !wrong.empty())
      return BadGoal("run " + wrong);
    return std::unique_ptr<Goal>(std::make_unique<CommandGoal>(value));
  }
  return BadGoal(fmt::format(
      "'{}' is not finding=RULE, pixel=X,Y,#rrggbb[@FRAME], differs-from=PICTURE or run=COMMAND",
      text));
}

}  // namespace dp2trace::reduce
