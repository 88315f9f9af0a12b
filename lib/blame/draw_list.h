// The draws of a trace that have a picture, and what it shows: found without drawing.
// Source: lib/design.md 3 ("Numbers").
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "history/frame_finder.h"
#include "play/player.h"

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

class DrawLister final : public play::Listener {
 public:
  // Draws of one frame, or (0) of all.
  explicit DrawLister(uint64_t frame) : frame_(frame) {}
  bool is_done() const override { return frame_ != 0 && player().position().frame > frame_; }
  // Ascending. A token that fails or has no target with pixels is not there.
  const std::vector<ListedDraw>& draws() const { return list_; }

 private:
  Status OnApplied(device::Context& context, const stream::Command& command) override;

  uint64_t frame_;
  std::vector<ListedDraw> list_;
};

}  // namespace dp2trace::blame
