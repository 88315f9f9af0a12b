#include "validate/event_rules.h"

#include "validate/rules_call.h"
#include "validate/rules_render_state.h"
#include "validate/rules_state_block.h"
#include "validate/rules_surface.h"
#include "validate/rules_patch.h"
#include "validate/rules_query.h"

namespace dp2trace::validate {

void CheckEvent(const EventView& view, const trace::Dp2& event) {
  CheckCallEvent(view, event);
  CheckQueryEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::ContextCreate& event) {
  CheckSurfaceEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::ContextDestroy& event) {
  CheckSurfaceEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::SurfaceCreate& event) {
  CheckSurfaceEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::SurfaceDestroy& event) {
  CheckSurfaceEvent(view, event);
}

void CheckEvent(const EventView& view, const trace::SurfaceUpdate& event) {
  CheckSurfaceEvent(view, event);
}

void CheckEnd(const EventView& view) {
  CheckRenderStateAtEnd(view);
  CheckStateBlockAtEnd(view);
  CheckSurfaceAtEnd(view);
  CheckPatchAtEnd(view);
}

}  // namespace dp2trace::validate
