// The matrix that takes normals from model to eye space. Source: rendering specification, 2.4; rendering facts, L5, L7, L8.
#pragma once

#include <cstdint>

#include "vertex/math.h"

namespace dp2trace::vertex {

// What takes the place of the inverse where world * view has none.
enum class SingularMatrix : uint8_t {
  kUsesProduct,  // world * view itself: drawn surfaces are lit
  kGivesZero,    // no normal: software vertex processing (ProcessVertices) leaves the surface unlit
};

// Upper left 3x3 of the transposed inverse of world * view (4x4, binary64).
Matrix3 NormalMatrix(const Matrix& world, const Matrix& view,
                     SingularMatrix singular = SingularMatrix::kUsesProduct);

}  // namespace dp2trace::vertex
