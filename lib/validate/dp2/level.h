// Rules about levels and counts of operations: DP2-LEVEL-*, DP2-COUNT-*.
// Source: lib/opcode/dp2.md 2.6 and 25.
#pragma once

#include <bitset>
#include <optional>

#include "base/rule.h"
#include "opcode/opcode.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct LevelMemory {
  std::bitset<256>
      objected;  // operations that the runtime or the driver should not see: each is news once
  bool has_immediate_fan = false;
  bool has_clipped_fan = false;
};

// The rule that an empty token of this operation breaks, where it has one of its own.
std::optional<Rule> FindEmptyTokenRule(const opcode::OpInfo& op);

}  // namespace dp2trace::validate
