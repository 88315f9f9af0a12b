// Measures how long each stage takes: time counts for the stage that was entered last. While nothing is measured it costs one test.
#pragma once

#include <chrono>
#include <utility>

#include "raster/statistics.h"

namespace dp2trace::raster {

// Not thread-safe.
class StageClock {
 public:
  void SetMeasuring(bool measures) {
    is_on_ = measures;
    stage_ = Stage::kNone;
    since_ = Clock::now();
  }
  // What follows belongs to `stage`; returns the one before.
  Stage Enter(Stage stage) {
    if (!is_on_) return Stage::kNone;
    const Clock::time_point now = Clock::now();
    times_[static_cast<size_t>(stage_)] += static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(now - since_).count());
    since_ = now;
    return std::exchange(stage_, stage);
  }
  // The times so far; that of kNone means nothing.
  const StageTimes& times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_on_ = false;
  Stage stage_ = Stage::kNone;
  Clock::time_point since_;
  StageTimes times_ = {};
};

}  // namespace dp2trace::raster
