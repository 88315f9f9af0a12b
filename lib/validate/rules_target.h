// Rules about render targets, clears, palettes: DP2-RT-*, DP2-CLEAR-*, DP2-PAL-*.
// Source: DP2 specification, 14, 15, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> TargetRules();
// The states and objects that a draw, patch or clear combines.
void CheckTargetAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
