#include "vertex/math.h"

#include <doctest/doctest.h>

using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Normalize: zero stays zero") {
  CHECK(Normalize({0, 0, -4}) == Float3{0, 0, -1});
  CHECK(Normalize({}) == Float3{});
}

TEST_CASE("Transform: row vectors; directions take the upper left block") {
  const Matrix m = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  CHECK(Transform(Float4{1, 10, 100, 1000}, m) == Float4{13951, 15062, 16173, 17284});
  CHECK(TransformDirection({1, 10, 100}, m) == Float3{951, 1062, 1173});
  CHECK(Transform(Float3{1, 10, 100}, Matrix3{1, 2, 3, 4, 5, 6, 7, 8, 9}) == Float3{741, 852, 963});
}

TEST_CASE("Dot3, Dot4: sums go from left to right") {
  // 1e30 + -1e30 + 1, and not 1e30 + (-1e30 + 1).
  const Float4 a = {1e15F, -1e15F, 1, 2};
  const Float4 b = {1e15F, 1e15F, 1, 1};
  CHECK(Dot3(a.data(), b.data()) == 1);
  CHECK(Dot4(a.data(), b.data()) == 3);
}

TEST_CASE("FromColor: red, green, blue, alpha; Tween goes from the first to the second") {
  CHECK(FromColor(0xFF0000FF) == Float4{0, 0, 1, 1});
  CHECK(FromColor(0x00FF0000) == Float4{1, 0, 0, 0});
  CHECK(Tween({0, 2, 4, 0}, {4, 2, 0, 8}, 0.25F) == Float4{1, 2, 3, 2});
}
