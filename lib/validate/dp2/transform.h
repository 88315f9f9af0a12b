// Rules about transforms, viewport, planes: DP2-XFORM-*, DP2-VIEW-*.
// Source: lib/opcode/dp2.md 9, 20.1 and 25.
#pragma once

#include <bitset>
#include <cstdint>

#include "d3d/states.h"

namespace dp2trace::validate {

// What these rules remember of a context: what was ever set. State blocks count.
struct TransformMemory {
  std::bitset<d3d::kTransformSlotCount> matrices_set;  // by canonical number
  uint32_t planes_set = 0;                             // bit p: clip plane p
  bool has_w_info = false;
  // bit s: the matrix of stage s was set, to something else than the identity, since the last draw
  uint32_t texture_matrices = 0;
};

}  // namespace dp2trace::validate
