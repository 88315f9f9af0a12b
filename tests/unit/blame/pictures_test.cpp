#include "blame/pictures.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using blame::Likeness;

TEST_CASE("CompareWith: as many pixels as are allowed, the region, two sizes") {
  image::Picture one(4, 1), other(4, 1);
  other.rgba[0] = 9;
  CHECK(*blame::CompareWith({}, one, one, {}) == Likeness::kEqual);
  CHECK(*blame::CompareWith({}, one, other, {}) == Likeness::kDifferent);
  CHECK(*blame::CompareWith({.max_pixels = 1}, one, other, {}) == Likeness::kEqual);
  const blame::Tolerance outside = {.loose = {.region = image::Region{8, 0, 1, 1}}};
  CHECK(*blame::CompareWith(outside, one, other, {}) == Likeness::kNotCompared);
  const Result<Likeness> wide = blame::CompareWith({}, one, image::Picture(5, 1), {3, 7});
  REQUIRE(!wide.ok());
  CHECK(wide.status().diagnostic().message ==
        "the picture of draw 7 has 5x1 pixels, that of the replay 4x1");
}

TEST_CASE("PictureCommand: a draw or a frame") {
  CHECK(blame::PictureCommand{"make {draw} {out}"}.NamesDraw());
  CHECK(!blame::PictureCommand{"make {frame} {out}"}.NamesDraw());
  CHECK(blame::TextOf({3}) == "frame 3");
  CHECK(blame::TextOf({0, 0, 2}) == "read 2");
}
