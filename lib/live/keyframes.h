// Where players stood at the start of some frames of a trace, so that another one need not begin with its first event.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "play/player.h"
#include "state/state_writes.h"

namespace dp2trace::live {

struct Keyframe {
  std::unique_ptr<const play::Snapshot> player;
  state::StateWrites writes;
};

// Keeps the start of every so many frames, fewer of them where the trace is long or its surfaces are large. Not thread-safe.
class Keyframes {
 public:
  explicit Keyframes(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  // The start of this frame is kept, too, if it comes by: somebody looks at the frame. Not that of the frame before any more.
  void Want(uint64_t frame);
  // Between events, where the player may stand at the start of a frame. It has pictures, and `writes` listens to it.
  void Offer(play::Player& player, const state::StateWrites& writes);
  // The nearest at or before the start of the frame; null: none is.
  const Keyframe* Find(uint64_t frame) const;
  uint64_t bytes() const { return bytes_; }
  size_t size() const { return frames_.size(); }

 private:
  static constexpr uint64_t kFirstStride = 4;  // frames; it doubles where there is no room
  static constexpr size_t kMaxFrames = 64;

  bool IsKept(uint64_t frame) const { return frame == wanted_ || (frame - 1) % stride_ == 0; }
  void Thin();
  void CountBytes();

  uint64_t max_bytes_;
  uint64_t bytes_ = 0;
  uint64_t stride_ = kFirstStride;
  uint64_t wanted_ = 0;
  std::map<uint64_t, Keyframe> frames_;  // by the number of the frame that begins
};

}  // namespace dp2trace::live
