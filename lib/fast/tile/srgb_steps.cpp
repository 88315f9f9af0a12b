#include "fast/tile/srgb_steps.h"

#include <bit>

#include "base/rounding.h"
#include "raster/pixel/srgb.h"

namespace dp2trace::fast {
namespace {

int32_t StoredOf(uint32_t word, uint32_t bits) {
  return static_cast<int32_t>(ToUnorm(raster::LinearToSrgb(std::bit_cast<float>(word)), bits));
}

// The first of the words from `first` to `last` that is stored as more than `below`. The last one is.
uint32_t FirstAbove(uint32_t first, uint32_t last, int32_t below, uint32_t bits) {
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    if (StoredOf(middle, bits) > below) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

SrgbSteps MakeSteps(uint32_t bits) {
  constexpr float kNever = 2.0F;
  SrgbSteps steps;
  for (uint32_t i = 0; i < SrgbSteps::kCount; ++i) {
    const uint32_t first = SrgbSteps::kFirst + (i << 16);
    const uint32_t last = i + 1 == SrgbSteps::kCount ? first : first + 0xFFFF;
    steps.below[i] = StoredOf(first, bits);
    const bool has_step = StoredOf(last, bits) > steps.below[i];
    steps.step[i] =
        has_step ? std::bit_cast<float>(FirstAbove(first, last, steps.below[i], bits)) : kNever;
  }
  return steps;
}

}  // namespace

const SrgbSteps& SrgbStepsOf(uint32_t bits) {
  static const std::array<SrgbSteps, 3> kSteps = {MakeSteps(5), MakeSteps(6), MakeSteps(8)};
  return kSteps[bits == 8 ? 2 : bits - 5];
}

}  // namespace dp2trace::fast
