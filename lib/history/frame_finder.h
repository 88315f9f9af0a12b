// Where a frame lies in a trace, and what it shows: found in its events, without executing them.
// Source: lib/design.md 3 ("Numbers").
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "base/status.h"
#include "d3d/geometry.h"
#include "play/player.h"
#include "trace/events.h"

namespace dp2trace::history {

struct FrameSpan {
  uint64_t frame = 0;
  uint64_t first = 0;  // event after the last present of the frame before
  uint64_t last = 0;   // its present; the last event of the trace where it is unfinished
  bool is_unfinished = false;
  uint32_t space = 0;
  uint32_t handle = 0;  // of the surface that it shows
  std::optional<d3d::Rect> rect;
  // Up to a read of the CPU, which `last` is, and what that reads; 0: the frame.
  uint64_t read = 0;
  uint32_t face = 0, level = 0;  // beside the handle
};

class FrameFinder {
 public:
  explicit FrameFinder(uint64_t frame) : span_{.frame = frame, .rect = {}} {}
  // The events begin with `first`, which is the first of frame `start` of the trace, at most `frame`.
  FrameFinder(uint64_t frame, uint64_t start, uint64_t first)
      : span_{.frame = frame, .first = first, .rect = {}}, presents_(start - 1) {}
  void OnEvent(uint64_t number, const trace::Event& event);
  // No event that follows matters.
  bool is_done() const { return is_done_; }
  // After the last event, where it was not done: the frame may be the unfinished one, if something was drawn in it.
  bool may_be_unfinished() const { return !is_done_ && presents_ + 1 == span_.frame; }
  const FrameSpan& span() const { return span_; }

 private:
  FrameSpan span_;
  uint64_t presents_ = 0;
  bool is_done_ = false;
};

// Where a read of the CPU (`surface_read`) stands, and what it reads, by its number from 1. Those of buffers and of boxes of volumes count, too.
// The frame is the one that the read follows where nothing was called since its present.
class ReadFinder {
 public:
  explicit ReadFinder(uint64_t read) : span_{.frame = 1, .rect = {}, .read = read} {}
  void OnEvent(uint64_t number, const trace::Event& event);
  // No event that follows matters.
  bool is_done() const { return is_done_; }
  // Reads so far.
  uint64_t reads() const { return reads_; }
  // Once it is done. What it reads is not a picture: `handle` is 0.
  const FrameSpan& span() const { return span_; }

 private:
  FrameSpan span_;
  uint64_t reads_ = 0;
  uint64_t first_before_ = 0;  // of the frame before
  bool has_call_ = true;       // since the last present
  bool is_done_ = false;
};

// Target 0 at the last draw of a frame by what events and tokens say, without executing anything: a guess. Calls that failed and tokens
// that are refused count, too. play::Player::drawn_target() knows.
class TargetGuess {
 public:
  // `first`: the first event that counts.
  explicit TargetGuess(uint64_t first) : first_(first) {}
  void OnEvent(uint64_t number, const trace::Event& event);
  // Nothing where no token draws.
  const std::optional<play::DrawnTarget>& target() const { return target_; }

 private:
  using Key = std::tuple<bool, uint32_t, uint64_t>;  // is it of packets? space or process, context

  void OnTokens(const Key& key, const trace::Event& event, bool counts);

  uint64_t first_;
  trace::LengthOrigin length_origin_ = trace::LengthOrigin::kZero;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> spaces_;  // by process and device
  std::map<Key, play::DrawnTarget> targets_;
  std::optional<play::DrawnTarget> target_;
};

}  // namespace dp2trace::history
