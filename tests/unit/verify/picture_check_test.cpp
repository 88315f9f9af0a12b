#include "verify/picture_check.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// 2 x 2 pixels at (4, 6) of a surface.
verify::PicturePair Pair() {
  verify::PicturePair pair;
  pair.area = {.left = 4, .top = 6, .right = 6, .bottom = 8};
  pair.driver = image::Picture(2, 2);
  pair.replay = image::Picture(2, 2);
  return pair;
}

}  // namespace

TEST_CASE("Compare: equal pictures have no difference") {
  const verify::PictureDifference difference = verify::Compare(Pair(), {.tolerance = 0});
  CHECK(difference.pixels == 0);
  CHECK(difference.largest == 0);
  CHECK(difference.right == 0);
  CHECK_FALSE(difference.first.has_value());
}

TEST_CASE("Compare: counts, bounds and the first pixel are those of the surface") {
  verify::PicturePair pair = Pair();
  pair.driver.at(1, 0)[2] = 7;
  pair.replay.at(0, 1)[3] = 9;
  const verify::PictureDifference difference = verify::Compare(pair, {.tolerance = 0});
  CHECK(difference.pixels == 2);
  CHECK(difference.largest == 9);
  CHECK(difference.left == 4);
  CHECK(difference.top == 6);
  CHECK(difference.right == 6);
  CHECK(difference.bottom == 8);
  REQUIRE(difference.first.has_value());
  CHECK(difference.first->x == 5);
  CHECK(difference.first->y == 6);
  CHECK(difference.first->driver == std::array<uint8_t, 4>{0, 0, 7, 0});
  CHECK(verify::Describe(difference, pair.area, 0) ==
        "2 of 4 pixels differ, in region 4,6,2,2; first at 5,6: the driver has #00000007, the "
        "replay #00000000; largest difference 9");
}

TEST_CASE("Compare: what is within the tolerance does not count, its size does") {
  verify::PicturePair pair = Pair();
  pair.driver.at(1, 0)[2] = 7;
  pair.replay.at(0, 1)[3] = 9;
  CHECK(verify::Compare(pair, {.tolerance = 7}).pixels == 1);
  CHECK(verify::Compare(pair, {.tolerance = 9}).pixels == 0);
  CHECK(verify::Compare(pair, {.tolerance = 9}).largest == 9);
  CHECK(verify::Compare(pair, {.tolerance = 255}).pixels == 0);
}
