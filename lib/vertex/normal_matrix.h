// The matrix that takes normals from model to eye space. Source: lib/raster/rendering-geometry.md 2.4; lib/raster/rendering-facts.md L5, L7, L8.
#pragma once

#include <cstdint>

#include "vertex/math.h"

namespace dp2trace::vertex {

// Which inverse of world * view, and what takes its place where there is none.
enum class NormalRule : uint8_t {
  kDraw,             // of 4x4, or world * view itself: drawn surfaces are lit
  kProcessVertices,  // of 4x4, or no normal: ProcessVertices leaves the surface unlit
  kDirect3d6,  // of the upper left 3x3, or that itself. Observed: a projective matrix leaves the surface lit
};

// Upper left 3x3 of the transposed inverse (binary64).
Matrix3 NormalMatrix(const Matrix& world, const Matrix& view, NormalRule rule = NormalRule::kDraw);

}  // namespace dp2trace::vertex
