// Random drawing as the text of a JSON trace: a target, a depth surface, textures, shaders, states and draws that a renderer takes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "support/random.h"

namespace dp2trace::testing {

// Numbers from the bytes of a fuzzer while there are any, then from a generator that these bytes seed.
class Choices {
 public:
  explicit Choices(std::span<const uint8_t> bytes);
  explicit Choices(uint64_t seed) : random_(seed) {}

  uint32_t U32();
  // 0 to bound - 1; bound > 0.
  uint32_t Below(uint32_t bound) { return U32() % bound; }
  // True once in `n` times on average.
  bool OneIn(uint32_t n) { return Below(n) == 0; }
  // Between the two, in 4096 steps.
  float Real(float low, float high) {
    return low + (high - low) * static_cast<float>(Below(4097)) / 4096.0F;
  }

 private:
  std::span<const uint8_t> bytes_;
  Random random_;
};

// The whole trace; equal choices give equal text.
std::string MakeDrawScene(Choices& choices);

}  // namespace dp2trace::testing
