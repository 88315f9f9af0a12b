// Rules about legacy and immediate primitives: DP2-PRIM-*, DP2-IMM-*.
// Source: lib/opcode/dp2.md 3, 4 and 25.
#pragma once

#include <span>

#include "device/draw.h"
#include "validate/command_rules.h"

namespace dp2trace::validate {

// Draws in the vertex format of the call: the operations of level 6.
inline bool UsesCallFormat(const opcode::OpInfo& op) {
  return op.is(opcode::kDraw) && op.level == 6;
}

std::span<const CommandRule> LegacyDrawRules();
// The states and objects that a draw, patch or clear combines.
void CheckLegacyDrawAtDraw(const CommandView& view);
// What a token draws, with its data found and inside its buffers.
void CheckDrawnLegacyDraw(const CommandView& view, const device::Draw& draw);

}  // namespace dp2trace::validate
