#include "blame/draw_list.h"

#include <utility>
#include <variant>

namespace dp2trace::blame {
namespace {

replay::RunnerOptions WithoutPixels(replay::RunnerOptions options) {
  options.device.surfaces.keeps_pixels = false;
  return options;
}

}  // namespace

history::FrameSpan ListedDraw::Span() const {
  return {.frame = frame,
          .first = frame_start,
          .last = event,
          .is_unfinished = false,
          .space = space,
          .handle = handle,
          .rect = {}};
}

DrawLister::DrawLister(replay::RunnerOptions options, uint64_t frame)
    : runner_(WithoutPixels(std::move(options)), findings_, *this), frame_(frame) {}

Status DrawLister::OnEvent(uint64_t number, const trace::Event& event) {
  event_ = number;
  draws_.Add(event);
  DP2TRACE_RETURN_IF_ERROR(runner_.OnEvent(number, event));
  findings_ = DiagnosticList();
  if (std::holds_alternative<trace::Present>(event)) {
    ++current_frame_;
    frame_start_ = number + 1;
  }
  return OkStatus();
}

Status DrawLister::OnApplied(device::Context& context, const stream::Command& command) {
  if (!command.op->is(opcode::kDraw) || (frame_ != 0 && current_frame_ != frame_))
    return OkStatus();
  const trace::DrawToken* const draw = draws_.Find(command.offset);
  const device::SurfaceRef target = context.Target(0);
  if (draw == nullptr || !target || !target.resource->has_pixels()) return OkStatus();
  list_.push_back({.number = draw->number,
                   .frame = current_frame_,
                   .event = event_,
                   .frame_start = frame_start_,
                   .space = context.space_id,
                   .handle = context.targets.colors[0],
                   .target = target.surface().id()});
  return OkStatus();
}

}  // namespace dp2trace::blame
