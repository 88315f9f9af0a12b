// float -> integer as determinism profile D1 wants it. Source: lib/raster/rendering.md 0.3, rules 5 and 6.
#pragma once

#include <cstdint>

namespace dp2trace {

// min(max(x, 0), 1) with second operand winning: NaN and -0 give +0.
constexpr float Saturate(float x) {
  const float low = x > 0.0F ? x : 0.0F;
  return low < 1.0F ? low : 1.0F;
}
constexpr double Saturate(double x) {
  const double low = x > 0.0 ? x : 0.0;
  return low < 1.0 ? low : 1.0;
}

// [0, 1] to an unsigned integer of up to 16 bits, half up; clamps, NaN gives 0.
constexpr uint32_t ToUnorm(float x, uint32_t bits) {
  const auto largest = static_cast<float>((uint32_t{1} << bits) - 1);
  const float scaled = Saturate(x) * largest;
  return static_cast<uint32_t>(scaled + 0.5F);  // not negative: truncation is floor
}

// The same in binary64 for up to 32 bits.
constexpr uint32_t ToUnorm(double x, uint32_t bits) {
  const auto largest = static_cast<double>((uint64_t{1} << bits) - 1);
  return static_cast<uint32_t>(Saturate(x) * largest + 0.5);
}

// [-1, 1] to a two's complement integer of up to 16 bits, half up; clamps, NaN gives 0. Never gives the lowest value.
constexpr int32_t ToSnorm(float x, uint32_t bits) {
  const auto largest = static_cast<float>((uint32_t{1} << (bits - 1)) - 1);
  if (!(x >= -1.0F)) x = x < -1.0F ? -1.0F : 0.0F;
  if (x > 1.0F) x = 1.0F;
  const float scaled = x * largest + 0.5F;
  const auto truncated = static_cast<int32_t>(scaled);
  return static_cast<float>(truncated) > scaled ? truncated - 1 : truncated;
}

}  // namespace dp2trace
