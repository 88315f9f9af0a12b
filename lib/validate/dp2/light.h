// Rules about lights and material: DP2-LIGHT-*.
// Source: lib/opcode/dp2.md 10 and 25.
#pragma once

#include <cstdint>

namespace dp2trace::validate {

// What these rules remember of a context.
struct LightMemory {
  bool is_counted = false;  // `enabled` is up to date
  uint32_t enabled = 0;     // lights that are enabled
};

}  // namespace dp2trace::validate
