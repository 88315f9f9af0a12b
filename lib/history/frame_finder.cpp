#include "history/frame_finder.h"

#include <utility>
#include <variant>

namespace dp2trace::history {
namespace {

replay::RunnerOptions WithoutPixels(replay::RunnerOptions options) {
  options.device.surfaces.keeps_pixels = false;
  return options;
}

}  // namespace

void FrameFinder::OnEvent(uint64_t number, const trace::Event& event) {
  if (is_done_) return;
  span_.last = number;
  const auto* const present = std::get_if<trace::Present>(&event);
  if (present == nullptr) return;
  ++presents_;
  if (presents_ + 1 == span_.frame) span_.first = number + 1;
  if (presents_ != span_.frame) return;
  span_.space = present->space;
  span_.handle = present->handle;
  span_.rect = present->rect;
  is_done_ = true;
}

LastTargetFinder::LastTargetFinder(replay::RunnerOptions options, uint64_t first)
    : runner_(WithoutPixels(std::move(options)), findings_, *this), first_(first) {}

Status LastTargetFinder::OnEvent(uint64_t number, const trace::Event& event) {
  event_ = number;
  if (number >= first_) return runner_.OnEvent(number, event);
  runner_.PassOver(number, event);
  return OkStatus();
}

Status LastTargetFinder::OnApplied(device::Context& context, const stream::Command& command) {
  if (event_ >= first_ && command.op->is(opcode::kDraw))
    target_ = Target{context.space_id, context.targets.colors[0]};
  return OkStatus();
}

}  // namespace dp2trace::history
