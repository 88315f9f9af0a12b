// Finds a frame or a read in a trace that can be read again.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "history/frame_finder.h"
#include "play/feed.h"

namespace dp2trace::history {

struct FoundSpan {
  FrameSpan span;
  std::string absence;  // why there is nothing to look at, in words; empty: the span is there
  bool may_be_unread = false;  // what could not be read may have what is absent
};

// The frame. What an unfinished one shows is what was drawn to last: that takes a replay, with these limits.
Result<FoundSpan> FindFrame(play::Feed& feed, uint64_t frame, const play::RunnerOptions& limits);

// The same, but what an unfinished frame shows is guessed and costs no replay (TargetGuess).
Result<FoundSpan> GuessFrame(play::Feed& feed, uint64_t frame);

// The read, up to which the frame is played. One that reads no picture is absent.
Result<FoundSpan> FindRead(play::Feed& feed, uint64_t read);

}  // namespace dp2trace::history
