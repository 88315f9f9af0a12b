// Rules about levels and counts of operations: DP2-LEVEL-*, DP2-COUNT-*.
// Source: DP2 specification, 2.6, 25.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct LevelMemory {};

std::span<const CommandRule> LevelRules();

}  // namespace dp2trace::validate
