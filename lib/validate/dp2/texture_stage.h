// Rules about texture stage states: DP2-TSS-*.
// Source: lib/opcode/dp2.md 8 and 25.
#pragma once

#include <bitset>

#include "validate/command_view.h"
#include "validate/dp2/stage_use.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct TextureStageMemory {
  SamplerMasks samplers;
  std::bitset<d3d::kTextureStageStateCount> reported_ignored;  // REPLAY-STATE-001
};

// The states and objects that a draw, patch or clear combines.
void CheckTextureStageAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
