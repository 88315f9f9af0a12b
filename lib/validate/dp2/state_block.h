// Rules about state blocks: DP2-SBLK-*.
// Source: lib/opcode/dp2.md 11 and 25.
#pragma once

#include "validate/command_view.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// Before the event is applied.
void CheckStateBlockEvent(const EventView& view, const trace::ContextDestroy& event);
// The trace has ended; reports are about its last event.
void CheckStateBlockAtEnd(const EventView& view);

}  // namespace dp2trace::validate
