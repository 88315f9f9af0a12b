// Rules about what a D3dDrawPrimitives2 call says around its stream: DP2-CALL-*.
// Source: DP2 specification, 1, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

std::span<const CommandRule> CallRules();
// Before the event is applied.
void CheckCallEvent(const EventView& view, const trace::Dp2& event);

}  // namespace dp2trace::validate
