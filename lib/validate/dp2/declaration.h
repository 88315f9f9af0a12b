// Rules about shader objects, declarations and constants: DP2-VSH-*, DP2-CONST-*.
// Source: lib/opcode/dp2.md 18 and 25.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> DeclarationRules();
// The states and objects that a draw, patch or clear combines.
void CheckDeclarationAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
