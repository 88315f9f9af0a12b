#include "live/keyframes.h"

#include <utility>

namespace dp2trace::live {
namespace {

uint64_t BytesBeside(const play::Snapshot& snapshot, const play::Snapshot* earlier) {
  return snapshot.runner.device.BytesBeside(earlier == nullptr ? nullptr : &earlier->runner.device);
}

}  // namespace

const Keyframe* Keyframes::Find(uint64_t frame) const {
  const auto after = frames_.upper_bound(frame);
  return after == frames_.begin() ? nullptr : &std::prev(after)->second;
}

void Keyframes::Offer(play::Player& player, const state::StateWrites& writes) {
  const play::Position& position = player.position();
  const uint64_t frame = position.frame;
  const bool is_start = frame > 1 && position.event + 1 == position.frame_start;
  if (!is_start || !IsKept(frame) || player.has_ended() || frames_.contains(frame)) return;
  // What the first of them holds is there once, whatever the others share.
  if (player.device().BytesBeside(nullptr) > max_bytes_) return;
  const Keyframe* const before = Find(frame);
  const play::Snapshot* const earlier = before == nullptr ? nullptr : before->player.get();
  const bool is_last = frames_.upper_bound(frame) == frames_.end();
  Keyframe& made = frames_[frame];
  made = {player.Save(earlier), writes};
  if (is_last) {
    bytes_ += BytesBeside(*made.player, earlier);
  } else {
    CountBytes();
  }
  while (!frames_.empty() && (bytes_ > max_bytes_ || frames_.size() > kMaxFrames))
    Thin();
}

// Every other one goes; the last one as well.
void Keyframes::Thin() {
  stride_ *= 2;
  const bool is_last = frames_.size() == 1;
  std::erase_if(frames_, [&](const auto& entry) { return is_last || !IsKept(entry.first); });
  CountBytes();
}

void Keyframes::Want(uint64_t frame) {
  const uint64_t before = std::exchange(wanted_, frame);
  if (before != 0 && !IsKept(before) && frames_.erase(before) != 0) CountBytes();
}

void Keyframes::CountBytes() {
  bytes_ = 0;
  const play::Snapshot* before = nullptr;
  for (const auto& [frame, keyframe] : frames_) {
    bytes_ += BytesBeside(*keyframe.player, before);
    before = keyframe.player.get();
  }
}

}  // namespace dp2trace::live
