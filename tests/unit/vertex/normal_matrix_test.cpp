#include "vertex/normal_matrix.h"

#include <doctest/doctest.h>

using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("NormalMatrix: transposed inverse of the whole matrix") {
  const Matrix scale = {2, 0, 0, 0, 0, 4, 0, 0, 0, 0, -1, 0, 5, 6, 7, 1};
  CHECK(NormalMatrix(scale, kIdentity) == Matrix3{0.5F, 0, 0, 0, 0.25F, 0, 0, 0, -1});
  const Matrix rotation = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1};
  CHECK(NormalMatrix(rotation, kIdentity) == Matrix3{0, 1, 0, -1, 0, 0, 0, 0, 1});
  CHECK(NormalMatrix(scale, rotation) == Matrix3{0, 0.5F, 0, -0.25F, 0, 0, 0, 0, -1});
}

TEST_CASE("NormalMatrix: a projective matrix may leave no normal (fact L5)") {
  const Matrix projective = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 10, 10, 10, 0};
  CHECK(Transform(Float3{0, 0, -1}, NormalMatrix(projective, kIdentity)) == Float3{0, 0, 0});
}

TEST_CASE("NormalMatrix: a singular matrix is used itself, or leaves nothing (facts L7, L8)") {
  const Matrix singular = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0.5F, 1};
  CHECK(NormalMatrix(singular, kIdentity) == Matrix3{1, 0, 0, 0, 1, 0, 0, 0, 0});
  CHECK(NormalMatrix(singular, kIdentity, NormalRule::kProcessVertices) == Matrix3{});
}

TEST_CASE("NormalMatrix: Direct3D 6 and before invert what turns the normal and no more") {
  const Matrix projective = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 10, 10, 10, 0};
  CHECK(NormalMatrix(projective, kIdentity, NormalRule::kDirect3d6) ==
        Matrix3{0.5F, 0, 0, 0, 1, 0, 0, 0, 1});
  const Matrix singular = {1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0.5F, 1};
  CHECK(NormalMatrix(singular, kIdentity, NormalRule::kDirect3d6) ==
        Matrix3{1, 0, 1, 0, 1, 0, 1, 0, 1});
}
