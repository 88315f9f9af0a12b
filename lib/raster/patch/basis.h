// Weights of control points and their derivatives. Source: lib/raster/rendering-geometry.md 6.2.
#pragma once

#include <array>
#include <cstdint>

namespace dp2trace::raster {

inline constexpr uint32_t kMaxDegree = 5;
inline constexpr uint32_t kMaxSpanPoints = (kMaxDegree + 1) * (kMaxDegree + 1);

// Of the degree + 1 points of a span in one direction.
struct BasisWeights {
  std::array<double, kMaxDegree + 1> weight = {};
  std::array<double, kMaxDegree + 1> derivative = {};  // by t
};

// True for the combinations of the table: BEZIER and B-spline with degree 1, 3 or 5, Catmull-Rom with degree 3.
bool IsRectBasis(uint32_t basis, uint32_t degree);
// Spans of a net with this many points in one direction; 0 where the number does not fit. Only with IsRectBasis().
uint32_t SpanCount(uint32_t basis, uint32_t degree, uint32_t point_count);
// At t in [0, 1] of a span. Only with IsRectBasis().
BasisWeights WeightsAt(uint32_t basis, uint32_t degree, double t);

// Weights of a patch point for all control points of a span (row by row) or of a triangle (in storage order).
struct SurfaceWeights {
  std::array<double, kMaxSpanPoints> value = {};
  std::array<double, kMaxSpanPoints> partial_u = {};
  std::array<double, kMaxSpanPoints> partial_v = {};
  uint32_t count = 0;
};

SurfaceWeights RectWeights(uint32_t basis, uint32_t degree, double u, double v);  // within a span
// Barycentrics of (apex, bottom left, bottom right); u runs from left to right, v from the apex down.
SurfaceWeights TriangleWeights(uint32_t degree, double a, double b, double c);

}  // namespace dp2trace::raster
