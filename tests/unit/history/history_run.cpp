#include "history_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "history/frame_search.h"
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

Status TextFeed::Read(const std::string& purpose,
                      const std::function<bool(const trace::EventRecord&)>& visit) {
  purposes_.push_back(purpose);
  ForEachJsonEvent(trace_, [&](uint64_t number, const trace::Event& event) {
    trace::EventRecord record;
    record.number = number;
    record.event = event;
    return visit(record);
  });
  return OkStatus();
}

Status TextFeed::Play(const std::string& purpose, play::Player& player) {
  const play::Snapshot* const start = player.options().start;
  Status status;
  DP2TRACE_RETURN_IF_ERROR(Read(purpose, [&](const trace::EventRecord& record) {
    if (start == nullptr || record.number >= start->next_event())
      status = player.OnEvent(record.number, record.event);
    return status.ok() && !player.is_done();
  }));
  return status;
}

history::FrameSpan SpanOf(const std::string& trace, uint64_t frame) {
  TextFeed feed(trace);
  const Result<history::FoundSpan> found = history::FindFrame(feed, frame, {});
  REQUIRE(found.ok());
  REQUIRE(found->absence.empty());
  return found->span;
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
  return history::ReportJson("t", HistoryOf(trace, frame, x, y, options));
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
