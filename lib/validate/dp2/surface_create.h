// Rules about what D3dCreateSurfaceEx announces: DP2-SURF-005, DP2-SURF-008 to DP2-SURF-012, DP2-SURF-015 to DP2-SURF-017, DP2-SURF-019.
// The device reports what it refuses to create.
// Source: lib/opcode/dp2.md 12.2, 13 and 25.
#pragma once

#include "validate/event_view.h"

namespace dp2trace::validate {

// Before the event is applied.
void CheckAnnouncement(const EventView& view, const trace::SurfaceCreate& event);

}  // namespace dp2trace::validate
