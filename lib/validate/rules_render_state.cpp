#include "validate/rules_render_state.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> RenderStateRules() { return {}; }

void CheckRenderStateAtDraw(const CommandView&) {}

void CheckRenderStateAtEnd(const EventView&) {}

}  // namespace dp2trace::validate
