#include "image/half.h"

#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "base/rounding.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Half: every half but NaN survives the way through float") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const bool is_nan = (half & 0x7C00U) == 0x7C00U && (half & 0x3FFU) != 0;
    const uint16_t expected = is_nan ? kCanonicalNaN16 : half;
    if (FloatToHalf(HalfToFloat(half)) != expected) FAIL(bits);
  }
}

TEST_CASE("Half: known values") {
  CHECK(HalfToFloat(0x3C00) == 1.0F);
  CHECK(HalfToFloat(0x0001) == 0x1p-24F);
  CHECK(HalfToFloat(0x03FF) == 0x3FFp-24F);
  CHECK(HalfToFloat(0x0400) == 0x1p-14F);
  CHECK(HalfToFloat(0x7BFF) == 65504.0F);
  CHECK(HalfToFloat(0xFC00) == -std::numeric_limits<float>::infinity());
  CHECK(std::bit_cast<uint32_t>(HalfToFloat(0x8000)) == 0x80000000U);
  CHECK(std::bit_cast<uint32_t>(HalfToFloat(0x7C01)) == 0x7F802000U);
}

TEST_CASE("Half: rounding is to nearest even, overflow gives infinity") {
  CHECK(FloatToHalf(1.0F + 0x1p-11F) == 0x3C00);             // tie, even below
  CHECK(FloatToHalf(1.0F + 0x3p-11F) == 0x3C02);             // tie, even above
  CHECK(FloatToHalf(1.0F + 0x1p-11F + 0x1p-20F) == 0x3C01);  // above the tie
  CHECK(FloatToHalf(0x1p-25F) == 0x0000);                    // tie at half the smallest
  CHECK(FloatToHalf(0x1.8p-25F) == 0x0001);
  CHECK(FloatToHalf(0x1p-14F - 0x1p-26F) == 0x0400);  // denormal rounds up to normal
  CHECK(FloatToHalf(65519.0F) == 0x7BFF);
  CHECK(FloatToHalf(65520.0F) == 0x7C00);
  CHECK(FloatToHalf(-1e30F) == 0xFC00);
  CHECK(FloatToHalf(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(FloatToHalf(-std::numeric_limits<float>::quiet_NaN()) == kCanonicalNaN16);
}

TEST_CASE("Depth float: 20 bits of mantissa, 4 of exponent, bias 15") {
  CHECK(DepthFloat24ToDouble(0xF00000) == 1.0);
  CHECK(DepthFloat24ToDouble(0xE00000) == 0.5);
  CHECK(DepthFloat24ToDouble(0x100000) == 0x1p-14);
  CHECK(DepthFloat24ToDouble(0x000001) == 0x1p-34);
  CHECK(DoubleToDepthFloat24(1.0) == 0xF00000);
  CHECK(DoubleToDepthFloat24(0x1p-35) == 0);
  CHECK(DoubleToDepthFloat24(0x1.8p-35) == 1);
  CHECK(DoubleToDepthFloat24(5.0) == 0xFFFFFF);
  CHECK(DoubleToDepthFloat24(-1.0) == 0);
  CHECK(DoubleToDepthFloat24(std::numeric_limits<double>::quiet_NaN()) == 0);
  for (uint32_t bits = 0; bits < 0x1000000; bits += 37) {
    if (DoubleToDepthFloat24(DepthFloat24ToDouble(bits)) != bits) FAIL(bits);
  }
}

TEST_CASE("Rounding: unsigned integers of 1 to 16 bits survive the way through float") {
  for (uint32_t bits = 1; bits <= 16; ++bits) {
    const float scale = 1.0F / static_cast<float>((1U << bits) - 1);
    for (uint32_t value = 0; value < (1U << bits); ++value) {
      if (ToUnorm(static_cast<float>(value) * scale, bits) != value) FAIL(bits);
    }
  }
}

TEST_CASE("Rounding: half up, clamped, NaN gives 0") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(ToUnorm(0.5F, 8) == 128);
  CHECK(ToUnorm(-3.0F, 8) == 0);
  CHECK(ToUnorm(3.0F, 8) == 255);
  CHECK(ToUnorm(nan, 8) == 0);
  CHECK(ToSnorm(nan, 8) == 0);
  CHECK(ToSnorm(-2.0F, 8) == -127);
  CHECK(ToSnorm(2.0F, 8) == 127);
  CHECK(ToSnorm(-0.5F / 127.0F, 8) == 0);    // -0.5 + 0.5
  CHECK(ToSnorm(-0.75F / 127.0F, 8) == -1);  // floor(-0.25)
  CHECK(ToUnorm(1.0, 32) == 0xFFFFFFFFU);
  CHECK(std::bit_cast<uint32_t>(Saturate(-0.0F)) == 0);
}
