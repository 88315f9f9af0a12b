// Rules about lights and material: DP2-LIGHT-*.
// Source: DP2 specification, 10, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> LightRules();
// The states and objects that a draw, patch or clear combines.
void CheckLightAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
