// Rules about vertex formats and drawn vertices: DP2-FVF-*.
// Source: lib/opcode/dp2.md 6 and 25.
#pragma once

#include <cstdint>
#include <span>

#include "device/draw.h"
#include "validate/command_rules.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct VertexDataMemory {
  // Defects of the vertices of the last draw, as bits: a defect is news once until a draw does not show it.
  uint32_t shown = 0;
};

std::span<const CommandRule> VertexRules();
// The states and objects that a draw, patch or clear combines.
void CheckVertexAtDraw(const CommandView& view);
// What a token draws, with its data found and inside its buffers.
void CheckDrawnVertex(const CommandView& view, const device::Draw& draw);

}  // namespace dp2trace::validate
