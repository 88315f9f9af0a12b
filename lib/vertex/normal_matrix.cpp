#include "vertex/normal_matrix.h"

namespace dp2trace::vertex {
namespace {

using Matrix64 = std::array<double, 16>;

Matrix64 Multiply(const Matrix& a, const Matrix& b) {
  Matrix64 product;
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      double sum = double{a[4 * i]} * double{b[j]};
      for (size_t k = 1; k < 4; ++k)
        sum = sum + double{a[4 * i + k]} * double{b[4 * k + j]};
      product[4 * i + j] = sum;
    }
  }
  return product;
}

// Determinant of the 3x3 matrix without this row and column, with its sign.
double Cofactor(const Matrix64& m, size_t row, size_t column) {
  std::array<double, 9> s = {};
  size_t n = 0;
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      if (i != row && j != column) s[n++] = m[4 * i + j];
    }
  }
  const double determinant = s[0] * (s[4] * s[8] - s[5] * s[7]) -
                             s[1] * (s[3] * s[8] - s[5] * s[6]) +
                             s[2] * (s[3] * s[7] - s[4] * s[6]);
  return (row + column) % 2 == 0 ? determinant : -determinant;
}

}  // namespace

Matrix3 NormalMatrix(const Matrix& world, const Matrix& view, NormalRule rule) {
  // Unspecified: precision of the product; chosen: binary64 like the inverse.
  Matrix64 m = Multiply(world, view);
  if (rule == NormalRule::kDirect3d6) {
    for (const size_t outside : {3U, 7U, 11U, 12U, 13U, 14U})
      m[outside] = 0;
    m[15] = 1;
  }
  double determinant = m[0] * Cofactor(m, 0, 0);
  for (size_t j = 1; j < 4; ++j)
    determinant = determinant + m[j] * Cofactor(m, 0, j);
  if (determinant == 0 && rule == NormalRule::kProcessVertices) return {};
  Matrix3 result;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      // Element (i, j) of the transposed inverse is cofactor (i, j) / determinant.
      result[3 * i + j] =
          static_cast<float>(determinant == 0 ? m[4 * i + j] : Cofactor(m, i, j) / determinant);
    }
  }
  return result;
}

}  // namespace dp2trace::vertex
