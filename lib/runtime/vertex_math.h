// Vectors and matrices of the runtime's own vertex processing: row vectors, binary32, sums from left to right.
// Source: rendering specification, 0.3 and 2.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace dp2trace::runtime {

using Float3 = std::array<float, 3>;
using Float4 = std::array<float, 4>;
// Row-major, as in D3DMATRIX.
using Float4x4 = std::array<float, 16>;
inline constexpr Float4x4 kIdentityMatrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

constexpr Float3 FirstThree(const Float4& v) {
  return {v[0], v[1], v[2]};
}
constexpr Float3 Negate(const Float3& v) {
  return {-v[0], -v[1], -v[2]};
}
constexpr Float3 Subtract(const Float3& a, const Float3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
constexpr float Dot(const Float3& a, const Float3& b) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

// Zero stays zero.
inline Float3 Normalize(const Float3& v) {
  const float square = Dot(v, v);
  if (square == 0) return {};
  const float scale = 1.0F / std::sqrt(square);
  return {v[0] * scale, v[1] * scale, v[2] * scale};
}

constexpr Float4 Transform(const Float4& v, const Float4x4& m) {
  Float4 result = {};
  for (size_t j = 0; j < 4; ++j)
    result[j] = v[0] * m[j] + v[1] * m[4 + j] + v[2] * m[8 + j] + v[3] * m[12 + j];
  return result;
}

// By the upper left 3x3 block.
constexpr Float3 TransformDirection(const Float3& v, const Float4x4& m) {
  Float3 result = {};
  for (size_t j = 0; j < 3; ++j)
    result[j] = v[0] * m[j] + v[1] * m[4 + j] + v[2] * m[8 + j];
  return result;
}

// The matrix that takes normals along: transposed inverse of the whole product, in binary64. All 0 where there is no inverse: software
// vertex processing shows an unlit surface then (rendering facts, L8).
Float4x4 NormalMatrix(const Float4x4& world, const Float4x4& view);

}  // namespace dp2trace::runtime
