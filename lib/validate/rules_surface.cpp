#include "validate/rules_surface.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> SurfaceRules() { return {}; }

void CheckSurfaceEvent(const EventView&, const trace::ContextCreate&) {}

void CheckSurfaceEvent(const EventView&, const trace::ContextDestroy&) {}

void CheckSurfaceEvent(const EventView&, const trace::SurfaceCreate&) {}

void CheckSurfaceEvent(const EventView&, const trace::SurfaceDestroy&) {}

void CheckSurfaceEvent(const EventView&, const trace::SurfaceUpdate&) {}

void CheckSurfaceAtEnd(const EventView&) {}

}  // namespace dp2trace::validate
