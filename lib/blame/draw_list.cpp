#include "blame/draw_list.h"

namespace dp2trace::blame {

history::FrameSpan ListedDraw::Span() const {
  return {.frame = frame,
          .first = frame_start,
          .last = event,
          .is_unfinished = false,
          .space = space,
          .handle = handle,
          .rect = {}};
}

Status DrawLister::OnApplied(device::Context& context, const stream::Command& /*command*/) {
  const play::Position& at = player().position();
  const device::SurfaceRef target = context.Target(0);
  if (at.token == nullptr || (frame_ != 0 && at.frame != frame_)) return OkStatus();
  if (!target || !target.resource->has_pixels()) return OkStatus();
  list_.push_back({.number = at.draw,
                   .frame = at.frame,
                   .event = at.event,
                   .frame_start = at.frame_start,
                   .space = context.space_id,
                   .handle = context.targets.colors[0],
                   .target = target.surface().id()});
  return OkStatus();
}

}  // namespace dp2trace::blame
