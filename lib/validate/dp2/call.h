// Rules about what a D3dDrawPrimitives2 call says around its stream: DP2-CALL-*.
// Source: lib/opcode/dp2.md 1 and 25.
#pragma once

#include <cstdint>

#include "validate/command_view.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct CallMemory {
  // The event whose vertex data were objected to: each call is news once.
  uint64_t objected = UINT64_MAX;
};

// Before the event is applied.
void CheckCallEvent(const EventView& view, const trace::Dp2& event);

}  // namespace dp2trace::validate
