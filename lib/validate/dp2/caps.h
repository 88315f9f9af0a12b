// Rules about what the device claims: DP2-CAPS-*. Without a claim nothing is checked.
// Source: D3DCAPS9 (d3d9caps.h); lib/opcode/dp2.md 8.3, 8.4, 13.3, 13.5 and 18.4.
#pragma once

#include <cstdint>

#include "validate/command_view.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct CapsMemory {
  uint32_t shown = 0;  // defects of vertices that the draw before had
};

void CheckCapsAtDraw(const CommandView& view);
// The values of the vertices, once they are found.
void CheckDrawnCaps(const CommandView& view, const device::Draw& draw);
// Before the event is applied.
void CheckCapsEvent(const EventView& view, const trace::SurfaceCreate& event);

}  // namespace dp2trace::validate
