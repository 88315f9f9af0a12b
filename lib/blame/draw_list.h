// The draws of a trace that have a picture, and what it shows: found without drawing.
// Source: DESIGN section 3 ("Numbers").
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "history/frame_finder.h"
#include "replay/runner.h"
#include "trace/draw_counter.h"

namespace dp2trace::blame {

struct ListedDraw {
  uint64_t number = 0;
  uint64_t frame = 0;
  uint64_t event = 0;
  uint64_t frame_start = 0;  // the first event of its frame
  uint32_t space = 0;
  uint32_t handle = 0;  // of target 0
  uint64_t target = 0;  // no two surfaces have the same
  // Up to and including the event of the draw.
  history::FrameSpan Span() const;
};

class DrawLister final : private replay::Observer {
 public:
  // Draws of one frame, or (0) of all.
  DrawLister(replay::RunnerOptions options, uint64_t frame);
  // Event `number` of the trace, in order.
  Status OnEvent(uint64_t number, const trace::Event& event);
  // No event that follows matters.
  bool is_done() const { return frame_ != 0 && current_frame_ > frame_; }
  // Ascending. A token that fails or has no target with pixels is not there.
  const std::vector<ListedDraw>& draws() const { return list_; }
  // Frames that end with a present, so far.
  uint64_t presents() const { return current_frame_ - 1; }

 private:
  Status OnApplied(device::Context& context, const stream::Command& command) override;

  DiagnosticList findings_;
  replay::Runner runner_;
  trace::DrawCounter draws_;
  uint64_t frame_;
  uint64_t current_frame_ = 1;
  uint64_t frame_start_ = 0;
  uint64_t event_ = 0;
  std::vector<ListedDraw> list_;
};

}  // namespace dp2trace::blame
