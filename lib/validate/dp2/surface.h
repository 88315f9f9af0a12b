// Rules about contexts, surfaces and resource tokens: DP2-CTX-*, DP2-SURF-*, DP2-RES-*.
// Source: lib/opcode/dp2.md 12, 13, 20.3, 20.4 and 25.
#pragma once

#include <cstdint>
#include <optional>

#include "validate/command_view.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct SurfaceMemory {
  std::optional<bool> is_pure;  // none: not recorded
  uint32_t process = 0;
};

// And of the trace.
struct SurfaceTraceMemory {
  bool has_palettised = false;           // some surface holds palette indices
  bool is_destruction_recorded = false;  // some context was destroyed
};

// Before the event is applied.
void CheckSurfaceEvent(const EventView& view, const trace::ContextCreate& event);
void CheckSurfaceEvent(const EventView& view, const trace::ContextDestroy& event);
void CheckSurfaceEvent(const EventView& view, const trace::SurfaceCreate& event);
void CheckSurfaceEvent(const EventView& view, const trace::SurfaceDestroy& event);
// The trace has ended; reports are about its last event.
void CheckSurfaceAtEnd(const EventView& view);

}  // namespace dp2trace::validate
