// Arithmetic of determinism profile D1: minima, maxima and conversions that give the same bits everywhere.
// Source: rendering specification, 0.1 and 0.3.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "image/rounding.h"

namespace dp2trace::raster {

using Float4 = std::array<float, 4>;

// The second operand wins when the operands are equal or unordered (rule 5).
template <class T>
constexpr T Min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
constexpr T Max(T a, T b) {
  return a > b ? a : b;
}
using image::Saturate;
constexpr Float4 Saturate(const Float4& v) {
  return {Saturate(v[0]), Saturate(v[1]), Saturate(v[2]), Saturate(v[3])};
}

// A D3DCOLOR as R, G, B, A: channel * fl(1/255).
constexpr Float4 FromColor(uint32_t argb) {
  constexpr float kScale = 1.0F / 255.0F;
  return {static_cast<float>(argb >> 16 & 0xFF) * kScale,
          static_cast<float>(argb >> 8 & 0xFF) * kScale, static_cast<float>(argb & 0xFF) * kScale,
          static_cast<float>(argb >> 24) * kScale};
}

// floor, as an integer that fits; NaN gives 0, values beyond +-2^62 are clamped (rule 6).
inline int64_t FloorToInt(double x) {
  constexpr double kLimit = 4611686018427387904.0;
  if (!(x > -kLimit)) return x < 0 ? -(int64_t{1} << 62) : 0;
  if (x > kLimit) return int64_t{1} << 62;
  return static_cast<int64_t>(std::floor(x));
}
// rn of the specification: floor(x + 0.5).
inline int64_t RoundToInt(double x) {
  return FloorToInt(x + 0.5);
}

// a*b + ... left to right, without contraction.
constexpr float Dot3(const float* a, const float* b) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}
constexpr float Dot4(const float* a, const float* b) {
  return ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
}

}  // namespace dp2trace::raster
