// Rules about levels and counts of operations: DP2-LEVEL-*, DP2-COUNT-*.
// Source: lib/opcode/dp2.md 2.6 and 25.
#pragma once

#include <bitset>
#include <optional>

#include "base/rule.h"
#include "opcode/opcode.h"
#include "trace/events.h"
#include "validate/caps.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct LevelMemory {
  std::bitset<256>
      objected;  // operations that the runtime or the driver should not see: each is news once
  bool has_immediate_fan = false;
  bool has_clipped_fan = false;
};

// DP2-LEVEL-008: of a header and what a driver of `level` reports. `caps` are those of the header.
void CheckLevelOfCaps(const trace::Header& header, uint32_t level, const Caps& caps,
                      EventFindings& findings);

// The rule that an empty token of this operation breaks, where it has one of its own.
std::optional<Rule> FindEmptyTokenRule(const opcode::OpInfo& op);

}  // namespace dp2trace::validate
