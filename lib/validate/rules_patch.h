// Rules about patches: DP2-PATCH-*.
// Source: DP2 specification, 17, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"
#include "validate/event_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct PatchMemory {};

std::span<const CommandRule> PatchRules();
// The states and objects that a draw, patch or clear combines.
void CheckPatchAtDraw(const CommandView& view);
// The trace has ended; reports are about its last event.
void CheckPatchAtEnd(const EventView& view);

}  // namespace dp2trace::validate
