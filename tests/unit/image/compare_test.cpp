#include "image/compare.h"

#include <doctest/doctest.h>

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

using Rgba = std::array<uint8_t, 4>;

void Set(Picture& picture, uint32_t x, uint32_t y, const Rgba& rgba) {
  std::copy(rgba.begin(), rgba.end(), picture.at(x, y).begin());
}

Rgba Get(const Picture& picture, uint32_t x, uint32_t y) {
  const auto at = picture.at(x, y);
  return {at[0], at[1], at[2], at[3]};
}

}  // namespace

TEST_CASE("Compare: equal pictures") {
  const Picture picture(7, 5);
  CHECK(Compare(picture, picture).equal());
  CHECK_FALSE(Compare(picture, picture).first.has_value());
  CHECK(Describe(Compare(picture, picture)) == "equal");
  CHECK(Compare(Picture(), Picture()).equal());
}

TEST_CASE("Compare: count, box, first pixel and largest difference of a channel") {
  const Picture expected(8, 6);
  Picture actual = expected;
  Set(actual, 5, 1, {1, 0, 0, 0});
  Set(actual, 2, 4, {0, 9, 0, 200});
  const Comparison result = Compare(expected, actual);
  CHECK_FALSE(result.equal());
  CHECK(result.same_size);
  CHECK(result.differing_pixels == 2);
  CHECK(result.left == 2);
  CHECK(result.top == 1);
  CHECK(result.right == 6);
  CHECK(result.bottom == 5);
  CHECK(result.largest_difference == 200);
  CHECK(result.first == PixelDifference{5, 1, {0, 0, 0, 0}, {1, 0, 0, 0}});
  CHECK(
      Describe(result) ==
      "2 pixels differ, in region 2,1,4,4; first at 5,1: expected #00000000, actual #00010000; largest difference 200");
}

TEST_CASE("Compare: a difference only in alpha is one") {
  Picture expected(1, 1);
  Picture actual(1, 1);
  Set(actual, 0, 0, {0, 0, 0, 1});
  CHECK(Compare(expected, actual).differing_pixels == 1);
}

TEST_CASE("Compare: pixels that one picture lacks differ") {
  const Comparison result = Compare(Picture(4, 2), Picture(3, 3));
  CHECK_FALSE(result.same_size);
  CHECK(result.differing_pixels == 2 + 3);
  CHECK(result.left == 0);
  CHECK(result.right == 4);
  CHECK(result.top == 0);
  CHECK(result.bottom == 3);
  CHECK_FALSE(result.first.has_value());
  CHECK(Describe(result) ==
        "5 pixels differ, in region 0,0,4,3; the sizes differ: expected 4x2, actual 3x3");
  CHECK_FALSE(Compare(Picture(4, 2), Picture()).equal());
}

TEST_CASE("DifferencePicture: equal grey, differing yellow to red, missing magenta") {
  Picture expected(2, 1);
  Picture actual(2, 2);
  Set(expected, 0, 0, {255, 255, 255, 255});
  Set(actual, 0, 0, {255, 255, 255, 255});
  Set(actual, 1, 0, {0, 1, 0, 0});
  const Result<Picture> difference = DifferencePicture(expected, actual);
  REQUIRE(difference.ok());
  CHECK(Get(*difference, 0, 0) == Rgba{63, 63, 63, 255});
  CHECK(Get(*difference, 1, 0) == Rgba{255, 254, 0, 255});
  CHECK(Get(*difference, 0, 1) == Rgba{255, 0, 255, 255});
  CHECK_FALSE(DifferencePicture(Picture(), Picture()).ok());
}

TEST_CASE("AbsoluteDifference: per channel, alpha as grey, missing magenta") {
  Picture expected(3, 1);
  Picture actual(3, 2);
  Set(expected, 0, 0, {10, 20, 30, 255});
  Set(actual, 0, 0, {13, 0, 30, 255});
  Set(expected, 1, 0, {7, 7, 7, 7});
  Set(actual, 1, 0, {7, 7, 7, 7});
  Set(expected, 2, 0, {0, 200, 0, 0});
  Set(actual, 2, 0, {0, 0, 0, 90});
  const Result<Picture> difference = AbsoluteDifference(expected, actual);
  REQUIRE(difference.ok());
  CHECK(Get(*difference, 0, 0) == Rgba{3, 20, 0, 255});
  CHECK(Get(*difference, 1, 0) == Rgba{0, 0, 0, 255});
  CHECK(Get(*difference, 2, 0) == Rgba{90, 200, 90, 255});
  CHECK(Get(*difference, 0, 1) == Rgba{255, 0, 255, 255});
  CHECK_FALSE(AbsoluteDifference(Picture(), Picture()).ok());
}
