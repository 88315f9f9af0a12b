// Rules about streams, indices and level 8 draws: DP2-BIND-*, DP2-DRAW-*.
// Source: lib/opcode/dp2.md 5, 20.2 and 25.
#pragma once

#include <span>

#include "device/draw.h"
#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> StreamDrawRules();
// The states and objects that a draw, patch or clear combines.
void CheckStreamDrawAtDraw(const CommandView& view);
// What a token draws, with its data found and inside its buffers.
void CheckDrawnStreamDraw(const CommandView& view, const device::Draw& draw);

}  // namespace dp2trace::validate
