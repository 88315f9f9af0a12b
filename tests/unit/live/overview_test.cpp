#include "live/overview.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Overview: a picture of the film strip has the means of whole squares") {
  image::Picture picture(321, 4);
  for (uint32_t x = 0; x < picture.width; ++x) {
    for (uint32_t y = 0; y < picture.height; ++y) {
      picture.at(x, y)[0] = static_cast<uint8_t>(x % 3 == 0 ? 30 : 0);
      picture.at(x, y)[3] = 255;
    }
  }
  const image::Picture small = live::Shrink(picture, 160, 120);
  CHECK(small.width == 107);
  CHECK(small.height == 2);  // a rest has its own mean
  for (uint32_t x = 0; x < small.width; ++x) {
    CHECK(small.at(x, 0)[0] == 10);
    CHECK(small.at(x, 1)[3] == 255);
  }
}

TEST_CASE("Overview: a small picture stays as it is") {
  image::Picture picture(160, 120);
  picture.at(159, 119)[1] = 7;
  CHECK(live::Shrink(picture, 160, 120) == picture);
}
