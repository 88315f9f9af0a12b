// Rules about contexts, surfaces and resource tokens: DP2-CTX-*, DP2-SURF-*, DP2-RES-*.
// Source: DP2 specification, 12, 13, 20.3, 20.4, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct SurfaceMemory {};

std::span<const CommandRule> SurfaceRules();
// Before the event is applied.
void CheckSurfaceEvent(const EventView& view, const trace::ContextCreate& event);
void CheckSurfaceEvent(const EventView& view, const trace::ContextDestroy& event);
void CheckSurfaceEvent(const EventView& view, const trace::SurfaceCreate& event);
void CheckSurfaceEvent(const EventView& view, const trace::SurfaceDestroy& event);
void CheckSurfaceEvent(const EventView& view, const trace::SurfaceUpdate& event);
// The trace has ended; reports are about its last event.
void CheckSurfaceAtEnd(const EventView& view);

}  // namespace dp2trace::validate
