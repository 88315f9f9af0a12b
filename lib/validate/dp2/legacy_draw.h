// Rules about legacy and immediate primitives: DP2-PRIM-*, DP2-IMM-*.
// Source: lib/opcode/dp2.md 3, 4 and 25.
#pragma once

#include "opcode/opcode.h"

namespace dp2trace::validate {

// Draws in the vertex format of the call: the operations of level 6.
inline bool UsesCallFormat(const opcode::OpInfo& op) {
  return op.is(opcode::kDraw) && op.level == 6;
}

}  // namespace dp2trace::validate
