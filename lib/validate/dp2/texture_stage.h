// Rules about texture stage states: DP2-TSS-*.
// Source: DP2 specification, 8, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"
#include "validate/dp2/stage_use.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct TextureStageMemory {
  SamplerMasks samplers;
};

std::span<const CommandRule> TextureStageRules();
// The states and objects that a draw, patch or clear combines.
void CheckTextureStageAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
