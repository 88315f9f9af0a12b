// Rules about what the device claims: DP2-CAPS-*. Without a claim nothing is checked.
// Source: D3DCAPS9 (d3d9caps.h); DP2 specification, 8.3, 8.4, 13.3, 13.5, 18.4.
#pragma once

#include "validate/command_rules.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

void CheckCapsAtDraw(const CommandView& view);
// Before the event is applied.
void CheckCapsEvent(const EventView& view, const trace::SurfaceCreate& event);

}  // namespace dp2trace::validate
