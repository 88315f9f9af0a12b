#include "raster/texture/address.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "texture_scene.h"

using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Taps -6 to 6 of four texels.
std::vector<int32_t> Taps(uint32_t mode) {
  std::vector<int32_t> taps;
  for (int32_t i = -6; i <= 6; ++i) {
    taps.push_back(ResolveTap(i, mode, 4));
  }
  return taps;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("Address: each mode maps taps outside the level as the table says") {
  CHECK(Taps(kWrap) == std::vector<int32_t>{2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2});
  CHECK(Taps(kMirror) == std::vector<int32_t>{2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1});
  CHECK(Taps(kClamp) == std::vector<int32_t>{0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3});
  CHECK(Taps(kBorder) == std::vector<int32_t>{-1, -1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1});
  CHECK(Taps(kMirrorOnce) == std::vector<int32_t>{3, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3});
}

TEST_CASE("Address: undefined modes wrap") {
  CHECK(Taps(0) == Taps(kWrap));
  CHECK(Taps(6) == Taps(kWrap));
  CHECK(Taps(0xFFFFFFFF) == Taps(kWrap));
}

TEST_CASE("Address: coordinates are rounded to 1/256 texel before the texel is chosen") {
  CHECK(QuantizeCoordinate(0.25F, kClamp, 4) == 256);
  CHECK(QuantizeCoordinate(0.2499F, kClamp, 4) == 256);  // 255.9
  CHECK(QuantizeCoordinate(0.249F, kClamp, 4) == 255);   // 254.98
  CHECK(QuantizeCoordinate(-0.25F, kClamp, 4) == -256);
}

TEST_CASE(
    "Address: WRAP and MIRROR take the coordinate near the level, the others limit it to 2^20 texels") {
  CHECK(QuantizeCoordinate(3.25F, kWrap, 4) == 256);
  CHECK(QuantizeCoordinate(-0.25F, kWrap, 4) == 768);
  CHECK(QuantizeCoordinate(3.25F, kMirror, 4) == 1280);
  CHECK(QuantizeCoordinate(1e30F, kClamp, 4) == 1 << 28);
  CHECK(QuantizeCoordinate(-kInfinity, kBorder, 4) == -(1 << 28));
}

TEST_CASE("Address: what is not a number is 0") {
  for (const uint32_t mode : {kWrap, kMirror, kClamp, kBorder, kMirrorOnce}) {
    CHECK(QuantizeCoordinate(kNan, mode, 4) == 0);
  }
  CHECK(QuantizeCoordinate(kInfinity, kWrap, 4) == 0);
  CHECK(QuantizeCoordinate(-kInfinity, kMirror, 4) == 0);
}
