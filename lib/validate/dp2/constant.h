// Rules about constant registers of shaders: DP2-CONST-*.
// Source: lib/opcode/dp2.md 18.5 and 25.
#pragma once

#include <cstdint>

namespace dp2trace::validate {

// What these rules remember of a context: the constants that the pixel shader reads, until shaders come or go.
struct ConstantMemory {
  uint32_t shader = 0;  // handle; 0: none was read
  uint32_t read = 0;    // bit r: it reads register r and does not define it
};

}  // namespace dp2trace::validate
