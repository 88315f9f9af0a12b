// Rules about vertex formats and drawn vertices: DP2-FVF-*.
// Source: lib/opcode/dp2.md 6 and 25.
#pragma once

#include <cstdint>

#include "device/draw.h"
#include "validate/command_view.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct VertexDataMemory {
  // Defects of the vertices of the last draw, as bits: a defect is news once until a draw does not show it.
  uint32_t shown = 0;
};

// What a token draws, with its data found and inside its buffers.
void CheckDrawnVertex(const CommandView& view, const device::Draw& draw);

}  // namespace dp2trace::validate
