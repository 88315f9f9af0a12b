// Rules about render states: DP2-RS-*.
// Source: DP2 specification, 7, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct RenderStateMemory {};

std::span<const CommandRule> RenderStateRules();
// The states and objects that a draw, patch or clear combines.
void CheckRenderStateAtDraw(const CommandView& view);
// The trace has ended; reports are about its last event.
void CheckRenderStateAtEnd(const EventView& view);

}  // namespace dp2trace::validate
