// A triangle ready to be drawn: edges, depth and attribute planes. Source: lib/raster/rendering-geometry.md 1.2, 1.3 and 1.9.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "raster/primitive/fixed_point.h"

namespace dp2trace::fast {

// Edge i at pixel (x, y): corner[i] - dy[i] * x + dx[i] * y, not negative inside. In steps of 1/256 of the fixed point products.
struct Edges {
  int64_t corner[3];
  int32_t dx[3], dy[3];
};
// Of corners that are clockwise on screen where `is_front`.
Edges EdgesOf(std::array<raster::FixedPoint, 3> points, bool is_front);

// Made of a QueuedTriangle for one tile. Followed in memory by the planes of `count` components (a multiple of kComponentStep): origin
// and both gradients as binary64, both steps as binary32. Component 0 is rhw; the others are what the draw interpolates, multiplied by
// rhw where they are perspective.
struct alignas(64) Triangle : Edges {
  // Pixels that may be covered, inside the clip rectangle; right and bottom are exclusive.
  int32_t left, top, right, bottom;
  uint8_t is_front, has_perspective;
  double x0, y0;  // of vertex 0, pixels
  // z, its gradient and bias; the gradient in units of the buffer.
  double z0, zx, zy, bias, scaled_x, scaled_y;
  // rhw and its gradient, where depth is that of w.
  double rhw0, rhwx, rhwy;
  // Bit i: component i is the same everywhere; is multiplied by 1 / rhw.
  uint64_t constant, perspective;
};

// The least and the greatest value of an edge over the square of `size` pixels whose corner is (x, y).
struct EdgeRange {
  int64_t least, greatest;
};
inline EdgeRange RangeOfEdge(const Edges& t, size_t edge, int64_t x, int64_t y, int64_t size) {
  const int64_t dx = t.dx[edge];
  const int64_t dy = t.dy[edge];
  const int64_t corner = t.corner[edge] - dy * x + dx * y;
  const int64_t across = -(size - 1) * dy;
  const int64_t down = (size - 1) * dx;
  return {corner + std::min<int64_t>(across, 0) + std::min<int64_t>(down, 0),
          corner + std::max<int64_t>(across, 0) + std::max<int64_t>(down, 0)};
}

// Pixels of the 8x8 block at (x, y) that lie in the bounds of the triangle, as bits.
uint64_t RectangleMask(const Triangle& t, int32_t x, int32_t y);

inline constexpr uint32_t kComponentStep = 4;
inline constexpr uint32_t kMaxComponents = 52;  // rhw, 12 varyings of 4, fog

constexpr uint32_t PaddedComponents(uint32_t count) {
  return (count + kComponentStep - 1) / kComponentStep * kComponentStep;
}
constexpr size_t TriangleSize(uint32_t padded) {
  constexpr size_t kPerComponent = 3 * sizeof(double) + 2 * sizeof(float);
  return (sizeof(Triangle) + padded * kPerComponent + 63) / 64 * 64;
}

// The planes after a triangle.
template <class T, class Byte>
struct BasicPlanes {
  T* origin;
  T* gradient_x;
  T* gradient_y;
  Byte* step_x;
  Byte* step_y;
};
using Planes = BasicPlanes<double, float>;
using ConstPlanes = BasicPlanes<const double, const float>;

inline Planes PlanesOf(Triangle& triangle, uint32_t padded) {
  auto* d = reinterpret_cast<double*>(&triangle + 1);
  auto* f = reinterpret_cast<float*>(d + 3 * size_t{padded});
  return {d, d + padded, d + 2 * size_t{padded}, f, f + padded};
}
inline ConstPlanes PlanesOf(const Triangle& triangle, uint32_t padded) {
  const auto* d = reinterpret_cast<const double*>(&triangle + 1);
  const auto* f = reinterpret_cast<const float*>(d + 3 * size_t{padded});
  return {d, d + padded, d + 2 * size_t{padded}, f, f + padded};
}

}  // namespace dp2trace::fast
