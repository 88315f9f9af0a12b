// Vectors and matrices of vertex processing in the arithmetic of determinism profile D1: row vectors, binary32, sums from left to
// right. Source: lib/raster/rendering.md 0.1 and 0.3; lib/raster/rendering-geometry.md 2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/rounding.h"

namespace dp2trace::vertex {

using Float3 = std::array<float, 3>;
using Float4 = std::array<float, 4>;
using Matrix = std::array<float, 16>;  // row-major, as in D3DMATRIX
using Matrix3 = std::array<float, 9>;  // row-major
inline constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

// The second operand wins when the operands are equal or unordered (rule 5).
template <class T>
constexpr T Min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
constexpr T Max(T a, T b) {
  return a > b ? a : b;
}
using dp2trace::Saturate;
constexpr Float4 Saturate(const Float4& v) {
  return {Saturate(v[0]), Saturate(v[1]), Saturate(v[2]), Saturate(v[3])};
}

// A D3DCOLOR as red, green, blue, alpha: channel * fl(1/255).
constexpr Float4 FromColor(uint32_t argb) {
  constexpr float kScale = 1.0F / 255.0F;
  return {static_cast<float>(argb >> 16 & 0xFF) * kScale,
          static_cast<float>(argb >> 8 & 0xFF) * kScale, static_cast<float>(argb & 0xFF) * kScale,
          static_cast<float>(argb >> 24) * kScale};
}

constexpr Float3 FirstThree(const Float4& v) {
  return {v[0], v[1], v[2]};
}
constexpr Float3 Negate(const Float3& v) {
  return {-v[0], -v[1], -v[2]};
}
constexpr Float3 Subtract(const Float3& a, const Float3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// a*b + ... left to right, without contraction.
constexpr float Dot3(const float* a, const float* b) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}
constexpr float Dot4(const float* a, const float* b) {
  return ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
}
constexpr float Dot(const Float3& a, const Float3& b) {
  return Dot3(a.data(), b.data());
}

// v * (1 / sqrt(v . v)); zero stays zero.
Float3 Normalize(const Float3& v);

// v * m, each component summed left to right.
Float4 Transform(const Float4& v, const Matrix& m);
// The same with the upper left 3x3 block.
Float3 TransformDirection(const Float3& v, const Matrix& m);
Float3 Transform(const Float3& v, const Matrix3& m);

// a + t * (b - a), each component.
Float4 Tween(const Float4& a, const Float4& b, float t);

}  // namespace dp2trace::vertex
