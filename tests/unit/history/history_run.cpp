#include "history_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "history/report.h"
#include "replay/replayer.h"
#include "support/json_events.h"

namespace dp2trace::testing {
namespace {

constexpr uint64_t kLargestFile = uint64_t{16} << 20;

class SurfaceStore final : public replay::ImageSink {
 public:
  explicit SurfaceStore(std::vector<SurfacePicture>& pictures) : pictures_(&pictures) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    if (info.kind == replay::ImageKind::kSurface && !info.is_stencil && !info.slice)
      pictures_->push_back({info.face, info.level, picture});
    return OkStatus();
  }

 private:
  std::vector<SurfacePicture>* pictures_;
};

class PictureStore final : public replay::ImageSink {
 public:
  explicit PictureStore(Pictures& pictures) : pictures_(&pictures) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    if (info.is_stencil || info.slice) return OkStatus();
    const Pictures::Kept kept = {info.surface, info.x, info.y, picture};
    if (info.kind == replay::ImageKind::kFrame) pictures_->frames.emplace(info.sequence, kept);
    if (info.kind == replay::ImageKind::kDraw && info.target == 0)
      pictures_->draws.emplace(info.sequence, kept);
    return OkStatus();
  }

 private:
  Pictures* pictures_;
};

}  // namespace

history::FrameSpan SpanOf(const std::string& trace, uint64_t frame) {
  history::FrameFinder finder(frame);
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    finder.OnEvent(number, event);
    return !finder.is_done();
  });
  history::FrameSpan span = finder.span();
  if (finder.is_done()) return span;
  REQUIRE(finder.may_be_unfinished());
  play::Player player({}, {});
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    return player.OnEvent(number, event).ok();
  });
  REQUIRE(player.drawn_target());
  span.is_unfinished = true;
  span.space = player.drawn_target()->space;
  span.handle = player.drawn_target()->handle;
  return span;
}

std::optional<play::DrawnTarget> GuessOf(const std::string& trace, uint64_t first) {
  history::TargetGuess guess(first);
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    guess.OnEvent(number, event);
    return true;
  });
  return guess.target();
}

std::string TraceText(const std::string& name) {
  const auto path = std::filesystem::path(DP2TRACE_SOURCE_DIR) / "traces" / name;
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(path.string(), kLargestFile);
  REQUIRE(bytes.ok());
  return {bytes->begin(), bytes->end()};
}

std::string TraceOf(const std::string& events) {
  return "[\n{\"event\":\"header\"},\n" + events + "\n]\n";
}

history::History HistoryOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y,
                           const history::Options& options) {
  history::Options with_pixel = options;
  with_pixel.x = x;
  with_pixel.y = y;
  history::Recorder recorder(with_pixel, SpanOf(trace, frame));
  play::Player player(options.play, {&recorder});
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(player.OnEvent(number, event).ok());
    return !player.is_done();
  });
  return recorder.Finish();
}

std::string TextOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y) {
  return history::ReportText(HistoryOf(trace, frame, x, y));
}

std::string StepsOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y) {
  history::Options options;
  options.wants_steps = true;
  return history::ReportText(HistoryOf(trace, frame, x, y, options));
}

std::string JsonOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y) {
  history::Options options;
  options.wants_steps = true;
  return history::ReportJson(HistoryOf(trace, frame, x, y, options));
}

Pictures PicturesOf(const std::string& trace) {
  Pictures pictures;
  PictureStore store(pictures);
  DiagnosticList findings;
  replay::Options options;
  options.draws = Selection();
  replay::Replayer replayer(options, findings, store);
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(replayer.OnEvent(number, event).ok());
    return true;
  });
  REQUIRE(replayer.Finish().ok());
  return pictures;
}

std::vector<SurfacePicture> SurfacePicturesOf(const std::string& trace, uint64_t frame,
                                              uint32_t handle) {
  std::vector<SurfacePicture> pictures;
  SurfaceStore store(pictures);
  DiagnosticList findings;
  replay::Options options;
  std::string error;
  options.frames = *Selection::Parse("none", error);
  options.surface = handle;
  options.surface_at = *Selection::Parse(std::to_string(SpanOf(trace, frame).last), error);
  replay::Replayer replayer(options, findings, store);
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(replayer.OnEvent(number, event).ok());
    return true;
  });
  return pictures;
}

}  // namespace dp2trace::testing
