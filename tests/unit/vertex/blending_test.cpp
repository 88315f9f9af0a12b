#include "vertex/blending.h"

#include <doctest/doctest.h>

using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("CompleteWeights: the last weight is what is left of 1 (fact G28)") {
  const BlendWeights three = CompleteWeights({0.5F, 0.125F, 9, 9}, 3);
  CHECK(three.weight == std::array<float, 4>{0.5F, 0.125F, 0.375F, 0});
  CHECK(three.matrix == std::array<uint32_t, 4>{0, 1, 2, 0});
  CHECK(CompleteWeights({9, 9, 9, 9}, 1).weight[0] == 1);
}

TEST_CASE("BlendPosition, BlendNormal: the sum over the named matrices") {
  std::array<Matrix, 3> worlds = {kIdentity, kIdentity, kIdentity};
  worlds[2][12] = 8;
  BlendWeights weights = CompleteWeights({0.25F, 0, 0, 0}, 2);
  weights.matrix[0] = 2;
  CHECK(BlendPosition({1, 2, 3, 1}, weights, worlds) == Float4{3, 2, 3, 1});
  const std::array<Matrix3, 3> normals = {Matrix3{2, 0, 0, 0, 2, 0, 0, 0, 2}, Matrix3{},
                                          Matrix3{0, 4, 0, 0, 0, 0, 0, 0, 0}};
  weights.matrix[1] = 0;
  CHECK(BlendNormal({1, 0, 1}, weights, normals) == Float3{1.5F, 1, 1.5F});
}

TEST_CASE("BlendPosition: one matrix counts whole") {
  std::array<Matrix, 1> worlds = {kIdentity};
  worlds[0][13] = -4;
  CHECK(BlendPosition({1, 2, 3, 1}, CompleteWeights({}, 1), worlds) == Float4{1, -2, 3, 1});
}
