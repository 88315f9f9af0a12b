// Linear colours to the integers of sRGB targets without the curve: where its steps lie. Source: lib/raster/rendering-output.md 5.7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dp2trace::fast {

// For channels of 5, 6 or 8 bits, whose steps are so far apart that no two numbers with the same upper half are more than one step apart.
struct SrgbSteps {
  static constexpr uint32_t kFirst = 0x39000000;  // bits of 2^-13; what is below is 0
  static constexpr size_t kCount = ((0x3F800000 - kFirst) >> 16) + 1;

  // By (bits - kFirst) >> 16 of a number in [0, 1], which is at least 2^-13: the integer of those below `step`, which is one less than
  // that of the others.
  std::array<float, kCount> step = {};
  std::array<int32_t, kCount> below = {};
};

// Lives as long as the process.
const SrgbSteps& SrgbStepsOf(uint32_t bits);

}  // namespace dp2trace::fast
