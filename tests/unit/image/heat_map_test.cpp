#include "image/heat_map.h"

#include <doctest/doctest.h>

#include <array>

using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

using Pixel = std::array<uint8_t, 4>;

// 20 pixels in a row, red 0 to 19.
Picture HeatRamp(uint8_t more = 0) {
  Picture picture(20, 1);
  for (uint32_t x = 0; x < 20; ++x) {
    picture.at(x, 0)[0] = static_cast<uint8_t>(x * (more == 0 ? 1 : 2));
    picture.at(x, 0)[3] = 255;
  }
  return picture;
}

Pixel PixelAt(const Picture& picture, uint32_t x, uint32_t y) {
  const auto pixel = picture.at(x, y);
  return {pixel[0], pixel[1], pixel[2], pixel[3]};
}

constexpr Pixel kBlue = {40, 80, 255, 255}, kWhite = {255, 255, 255, 255};
constexpr Pixel kViolet = {112, 64, 160, 255}, kMagenta = {255, 0, 255, 255};
constexpr uint32_t kZoom = 16;  // 320 / 20

}  // namespace

TEST_CASE(
    "HeatMap: the colours go from the least to the largest difference; small ones are enlarged") {
  const auto map = HeatMap(HeatRamp(), HeatRamp(1), {.tolerance = 3});
  REQUIRE(map.ok());
  CHECK(map->width == 320);
  CHECK(PixelAt(*map, 0, 0) == Pixel{0, 0, 0, 255});
  CHECK(PixelAt(*map, 3 * kZoom, 0) == kViolet);
  CHECK(PixelAt(*map, 4 * kZoom, kZoom - 1) == kBlue);
  CHECK(PixelAt(*map, 19 * kZoom + kZoom - 1, 0) == kWhite);
  CHECK(PixelAt(*map, 12 * kZoom, 0) != PixelAt(*map, 13 * kZoom, 0));
}

TEST_CASE("HeatMap: the key runs from blue to white below the map") {
  const auto map = HeatMap(HeatRamp(), HeatRamp(1), {});
  REQUIRE(map.ok());
  constexpr uint32_t kKey = kZoom + 6 + 1;
  CHECK(PixelAt(*map, 6, kKey) == kBlue);
  CHECK(PixelAt(*map, 320 - 7, kKey) == kWhite);
}

TEST_CASE("HeatMap: pixels of one picture are magenta, a region is cut out") {
  const auto map = HeatMap(HeatRamp(), Picture(10, 1), {});
  REQUIRE(map.ok());
  CHECK(PixelAt(*map, 10 * kZoom, 0) == kMagenta);
  const auto part = HeatMap(HeatRamp(), HeatRamp(1), {.region = Region{19, 0, 1, 1}});
  REQUIRE(part.ok());
  CHECK(PixelAt(*part, 0, 0) == kWhite);
  CHECK(PixelAt(*part, 16, 0) == Pixel{24, 24, 24, 255});  // enlarged 16 times at most
}

TEST_CASE("HeatMap: the only difference is the largest") {
  Picture other = HeatRamp();
  other.at(4, 0)[1] = 1;
  const auto map = HeatMap(HeatRamp(), other, {});
  REQUIRE(map.ok());
  CHECK(PixelAt(*map, 4 * kZoom, 0) == kWhite);
}

TEST_CASE("HeatMap: what would be too large for a PNG becomes the worst of blocks") {
  constexpr uint32_t kHeight = 32768;  // the most that a PNG may have, without the key
  Picture expected(20, kHeight);
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < 20; ++x)
      expected.at(x, y)[3] = 255;
  }
  Picture actual = expected;
  actual.at(3, 5)[0] = 9;
  actual.at(2, 4)[0] = 4;
  actual.at(7, 4)[0] = 4;
  const auto map = HeatMap(expected, actual, {});
  REQUIRE(map.ok());
  CHECK(map->height < kHeight);
  CHECK(map->height > kHeight / 2);
  CHECK(PixelAt(*map, 1, 2) == kWhite);  // 9 rather than 4
  CHECK(PixelAt(*map, 3, 2) != kWhite);
  CHECK(PixelAt(*map, 3, 2) != PixelAt(*map, 0, 0));
  CHECK(PixelAt(*map, 0, 0) == Pixel{0, 0, 0, 255});
}
