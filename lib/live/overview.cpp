#include "live/overview.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace dp2trace::live {
namespace {

// Frames, and nothing else.
replay::Options FramesOf(const play::Options& play, const std::array<play::Listener*, 2>& listeners,
                         std::function<Status()> interrupt) {
  std::string error;
  replay::Options options;
  options.reads = Selection::Parse("none", error);
  options.validation = play.validation;
  options.validation.interrupt = std::move(interrupt);
  options.renderer = play.renderer;
  options.raster = play.raster;
  options.listeners = listeners;
  return options;
}

}  // namespace

image::Picture Shrink(const image::Picture& picture, uint32_t width, uint32_t height) {
  // The smallest whole number of pixels that one stands for, in both directions.
  const uint32_t step =
      std::max({(picture.width + width - 1) / width, (picture.height + height - 1) / height, 1U});
  if (step == 1) return picture;
  image::Picture small((picture.width + step - 1) / step, (picture.height + step - 1) / step);
  for (uint32_t y = 0; y < small.height; ++y) {
    for (uint32_t x = 0; x < small.width; ++x) {
      const uint32_t right = std::min(picture.width, (x + 1) * step);
      const uint32_t bottom = std::min(picture.height, (y + 1) * step);
      std::array<uint32_t, 4> sums = {};
      for (uint32_t from_y = y * step; from_y < bottom; ++from_y) {
        for (uint32_t from_x = x * step; from_x < right; ++from_x) {
          const auto pixel = picture.at(from_x, from_y);
          for (size_t channel = 0; channel < sums.size(); ++channel)
            sums[channel] += pixel[channel];
        }
      }
      const uint32_t count = (right - x * step) * (bottom - y * step);
      const auto mean = small.at(x, y);
      for (size_t channel = 0; channel < sums.size(); ++channel)
        mean[channel] = static_cast<uint8_t>((sums[channel] + count / 2) / count);
    }
  }
  return small;
}

Overview::Overview(std::unique_ptr<trace_file::Source> source, const play::Options& options,
                   Keyframes& keyframes, Watch& watch)
    : source_(std::move(source)),
      findings_(DiagnosticLimits{.all = 0}),  // only counted
      keyframes_(&keyframes),
      watch_(&watch),
      replayer_(FramesOf(options, {&writes_, &tally_}, [this] { return Interrupt(); }), findings_,
                *this) {}

// Where an event is broken off, all is played again: a short one is ended.
Status Overview::Interrupt() {
  constexpr uint64_t kShortEvent = 1000;  // tokens
  return ++tokens_ > kShortEvent ? watch_->Check() : OkStatus();
}

Status Overview::OnImage(const replay::ImageInfo& info, const image::Picture& picture) {
  // A frame that shows several parts has the first one there.
  if (!current_.film) current_.film = Shrink(picture, kFilmWidth, kFilmHeight);
  current_.is_unfinished = info.is_unfinished;
  return OkStatus();
}

void Overview::EndFrames() {
  if (replayer_.statistics().frames != frames_.size()) EndFrame();
}

void Overview::EndFrame() {
  current_.number = frames_.size() + 1;
  current_.event = last_event_;
  const auto since = [](uint64_t count, uint64_t& before) {
    return count - std::exchange(before, count);
  };
  play::Player& player = replayer_.player();
  player.FinishDrawing();
  current_.draws = since(replayer_.statistics().draws, draws_before_);
  current_.tally = tally_.Take();
  const raster::RendererStatistics drawn = player.drawing_statistics();
  current_.pixels = since(drawn.pixels, pixels_before_);
  current_.texels = since(drawn.texels, texels_before_);
  for (size_t i = 0; i < kSeverityCount; ++i) {
    current_.findings[i] = since(findings_.count(static_cast<Severity>(i)), found_before_[i]);
  }
  frames_.push_back(std::exchange(current_, {}));
}

Status Overview::Advance() {
  if (is_complete_) return OkStatus();
  const size_t known = frames_.size();
  for (trace::EventRecord record; frames_.size() == known && source_->Next(record);) {
    last_event_ = record.number;
    tokens_ = 0;
    status_ = replayer_.OnEvent(record.number, record.event);
    is_broken_ = !status_.ok() && !watch_->Check().ok();
    if (is_broken_) return std::exchange(status_, OkStatus());
    if (!status_.ok()) break;
    EndFrames();
    keyframes_->Offer(replayer_.player(), writes_);
    if (frames_.size() == known)
      DP2TRACE_RETURN_IF_ERROR(watch_->Look(source_->position(), source_->size()));
  }
  if (frames_.size() != known) return OkStatus();
  if (status_.ok()) status_ = source_->status();
  if (status_.ok()) status_ = replayer_.Finish();
  EndFrames();
  // Nothing is shown of a frame without draws, but what was read in it.
  if (tally_.tally().reads != 0) {
    current_.is_unfinished = true;
    EndFrame();
  }
  is_complete_ = true;
  return OkStatus();
}

}  // namespace dp2trace::live
