#include "base/transcendental.h"

#include <doctest/doctest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

float F(uint32_t bits) {
  return std::bit_cast<float>(bits);
}
uint32_t U(float value) {
  return std::bit_cast<uint32_t>(value);
}

}  // namespace

TEST_CASE("Transcendentals: the golden values of determinism profile D1") {
  CHECK(U(Exp2(F(0x3F000000))) == 0x3FB504F3);
  CHECK(U(Exp2(F(0xBEC00000))) == 0x3F45672A);
  CHECK(U(Exp2(F(0x3EAAAAAB))) == 0x3FA14518);
  CHECK(U(Exp2(F(0x4121999A))) == 0x44892FE2);
  CHECK(U(Exp2(F(0x42FFFFFF))) == 0x7F7FFFA7);
  CHECK(U(Exp2(F(0xC3150000))) == 0x00000001);
  CHECK(U(Log2(F(0x40400000))) == 0x3FCAE00D);
  CHECK(U(Log2(F(0x3DCCCCCD))) == 0xC0549A78);
  CHECK(U(Log2(F(0x3F333333))) == 0xBF03BB12);
  CHECK(U(Log2(F(0x3A83126F))) == 0xC11F73DA);
  CHECK(U(Pow(0.9733f, 30.0f)) == 0x3EE35671);
  CHECK(U(Sin(F(0x3F000000))) == 0x3EF57744);
  CHECK(U(Sin(F(0xC0400000))) == 0xBE1081C3);
  CHECK(U(Sin(F(0x40490FDB))) == 0xB3BBBD2E);
  CHECK(U(Cos(F(0x3F000000))) == 0x3F60A940);
  CHECK(U(Cos(F(0xC0400000))) == 0xBF7D7026);
  CHECK(U(Cos(F(0x3DCCCCCD))) == 0x3F7EB898);
}

TEST_CASE("Exp2 and Log2: special arguments") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(Exp2(infinity) == FLT_MAX);
  CHECK(Exp2(-infinity) == 0.0f);
  CHECK(Exp2D(127.99999999) == FLT_MAX);
  CHECK(std::isnan(Exp2(std::numeric_limits<float>::quiet_NaN())));
  CHECK(Log2(infinity) == 128.0f);
  CHECK(std::isnan(Log2(std::numeric_limits<float>::quiet_NaN())));
  CHECK(Log2(F(1)) == -149.0f);  // the smallest denormal
}

TEST_CASE("Pow: the edge cases that lighting depends on") {
  CHECK(Pow(0.0f, 0.0f) == 1.0f);
  CHECK(Pow(0.5f, 0.0f) == 1.0f);
  CHECK(Pow(0.0f, 2.0f) == 0.0f);
  CHECK(Pow(0.0f, -1.0f) == FLT_MAX);
  CHECK(Pow(-2.0f, 3.0f) == 8.0f);  // of the magnitude
}

TEST_CASE("Sin and Cos: arguments out of range count as 0") {
  CHECK(Sin(1e30f) == 0.0f);
  CHECK(Cos(std::numeric_limits<float>::infinity()) == 1.0f);
  CHECK(Cos(std::numeric_limits<float>::quiet_NaN()) == 1.0f);
}

TEST_CASE("Transcendentals: close to the C library over their range") {
  for (int i = -4000; i <= 4000; ++i) {
    const float x = static_cast<float>(i) * 0.001f;
    CHECK(std::abs(static_cast<double>(Sin(x)) - std::sin(static_cast<double>(x))) < 4e-8);
    CHECK(std::abs(static_cast<double>(Cos(x)) - std::cos(static_cast<double>(x))) < 4e-8);
    CHECK(std::abs(static_cast<double>(Exp2(x)) / std::exp2(static_cast<double>(x)) - 1.0) < 7e-8);
  }
}
