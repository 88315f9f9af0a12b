#include "vertex/point_size.h"

#include <doctest/doctest.h>

#include <limits>

using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("ClampPointSize: the least wins over the greatest, 256 is the end") {
  CHECK(ClampPointSize(5, 1, 64) == 5);
  CHECK(ClampPointSize(0.5F, 1, 64) == 1);
  CHECK(ClampPointSize(99, 1, 64) == 64);
  CHECK(ClampPointSize(5, 8, 2) == 8);
  CHECK(ClampPointSize(1e9F, 0, 1e9F) == 256);
  CHECK(ClampPointSize(std::numeric_limits<float>::quiet_NaN(), 1, 64) == 64);
}

TEST_CASE("ScalePointSize: attenuation by the distance") {
  CHECK(ScalePointSize({.a = 0, .b = 0, .c = 1}, 2, 480, 4) == 240);
  CHECK(ScalePointSize({.a = 1, .b = 0, .c = 0}, 0.5F, 480, 4) == 240);
  CHECK(ScalePointSize({.a = 1, .b = 3, .c = 0}, 1, 480, 1) == 240);
}
