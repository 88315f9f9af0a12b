// Rules about lights and material: DP2-LIGHT-*.
// Source: lib/opcode/dp2.md 10 and 25.
#pragma once

#include <cstdint>
#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct LightMemory {
  bool is_counted = false;  // `enabled` is up to date
  uint32_t enabled = 0;     // lights that are enabled
};

std::span<const CommandRule> LightRules();
// The states and objects that a draw, patch or clear combines.
void CheckLightAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
