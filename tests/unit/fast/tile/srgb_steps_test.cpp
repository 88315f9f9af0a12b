// The steps of the sRGB curve against the curve.
#include "fast/tile/srgb_steps.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "base/rounding.h"
#include "raster/pixel/srgb.h"
#include "support/random.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

uint32_t ByCurve(float linear, uint32_t bits) {
  return ToUnorm(raster::LinearToSrgb(linear), bits);
}

uint32_t BySteps(float linear, uint32_t bits) {
  const SrgbSteps& steps = SrgbStepsOf(bits);
  const uint32_t word = std::max(std::bit_cast<uint32_t>(linear), SrgbSteps::kFirst);
  const uint32_t i = (word - SrgbSteps::kFirst) >> 16;
  return static_cast<uint32_t>(steps.below[i] + (linear >= steps.step[i] ? 1 : 0));
}

}  // namespace

TEST_CASE("Steps of sRGB: numbers around each of them") {
  for (const uint32_t bits : {5U, 6U, 8U}) {
    size_t differences = 0;
    for (const float step : SrgbStepsOf(bits).step) {
      if (step > 1.0F) continue;
      for (int32_t away = -64; away <= 64; ++away) {
        const float linear = std::min(
            std::bit_cast<float>(std::bit_cast<uint32_t>(step) + static_cast<uint32_t>(away)),
            1.0F);
        differences += BySteps(linear, bits) == ByCurve(linear, bits) ? 0U : 1U;
      }
    }
    CHECK(differences == 0);
  }
}
TEST_CASE("Steps of sRGB: any number from 0 to 1") {
  Random random(1);
  size_t differences = 0;
  for (const uint32_t bits : {5U, 6U, 8U}) {
    for (const float linear : {0.0F, 1.0F, 0x1p-149F, 0x1p-13F})
      differences += BySteps(linear, bits) == ByCurve(linear, bits) ? 0U : 1U;
    for (uint32_t i = 0; i < 200000; ++i) {
      const auto linear = std::bit_cast<float>(random.Below(0x3F800001));
      const float even = static_cast<float>(random.U32() >> 8) * 0x1p-24F;
      differences += BySteps(linear, bits) == ByCurve(linear, bits) ? 0U : 1U;
      differences += BySteps(even, bits) == ByCurve(even, bits) ? 0U : 1U;
    }
  }
  CHECK(differences == 0);
}
