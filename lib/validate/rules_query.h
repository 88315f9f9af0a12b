// Rules about queries and responses: DP2-QUERY-*.
// Source: DP2 specification, 19, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

std::span<const CommandRule> QueryRules();
// Before the event is applied.
void CheckQueryEvent(const EventView& view, const trace::Dp2& event);

}  // namespace dp2trace::validate
