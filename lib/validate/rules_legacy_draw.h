// Rules about legacy and immediate primitives: DP2-PRIM-*, DP2-IMM-*.
// Source: DP2 specification, 3, 4, 25.
#pragma once

#include <span>

#include "device/draw.h"
#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> LegacyDrawRules();
// What a token draws, with its data found and inside its buffers.
void CheckDrawnLegacyDraw(const CommandView& view, const device::Draw& draw);

}  // namespace dp2trace::validate
