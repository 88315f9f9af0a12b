#include "image/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "d3d/notation.h"
#include "image/png.h"

namespace dp2trace::image {
namespace {

using Pixel = std::array<uint8_t, 4>;

Pixel PixelAt(const Picture& picture, uint32_t x, uint32_t y) {
  Pixel pixel = {};
  std::ranges::copy(picture.at(x, y), pixel.begin());
  return pixel;
}

uint8_t Distance(uint8_t a, uint8_t b) {
  return static_cast<uint8_t>(a > b ? a - b : b - a);
}

// Of the channel that is furthest apart.
uint8_t Distance(const Pixel& a, const Pixel& b) {
  uint8_t largest = 0;
  for (size_t c = 0; c < 4; ++c)
    largest = std::max(largest, Distance(a[c], b[c]));
  return largest;
}

// Grows the bounding box by the pixels [left, right) of row y and counts them.
void Include(Comparison& result, uint32_t left, uint32_t right, uint32_t y) {
  const bool is_first = result.differing_pixels == 0;
  result.left = is_first ? left : std::min(result.left, left);
  result.right = std::max(result.right, right);
  result.top = is_first ? y : result.top;  // rows arrive in order
  result.bottom = y + 1;
  result.differing_pixels += right - left;
}

void ComparePixel(Comparison& result, const Pixel& expected, const Pixel& actual, uint32_t x,
                  uint32_t y) {
  if (expected == actual) return;
  Include(result, x, x + 1, y);
  if (!result.first) result.first = PixelDifference{x, y, expected, actual};
  result.largest_difference = std::max(result.largest_difference, Distance(expected, actual));
}

bool RowsEqual(const Picture& a, const Picture& b, uint32_t width, uint32_t y) {
  return std::memcmp(a.at(0, y).data(), b.at(0, y).data(), size_t{4} * width) == 0;
}

// Pixels of row y that exactly one picture has.
void CompareRowEnds(Comparison& result, const Picture& a, const Picture& b, uint32_t y) {
  const uint32_t a_width = y < a.height ? a.width : 0;
  const uint32_t b_width = y < b.height ? b.width : 0;
  if (a_width != b_width)
    Include(result, std::min(a_width, b_width), std::max(a_width, b_width), y);
}

Pixel Faded(const Pixel& p) {
  const auto grey = static_cast<uint8_t>((p[0] + 2 * p[1] + p[2]) / 16);
  return {grey, grey, grey, 255};
}

Pixel DifferencePixel(const Pixel& expected, const Pixel& actual) {
  if (expected == actual) return Faded(expected);
  return {255, static_cast<uint8_t>(255 - Distance(expected, actual)), 0, 255};
}

Pixel DistancePixel(const Pixel& expected, const Pixel& actual) {
  const uint8_t alpha = Distance(expected[3], actual[3]);
  Pixel pixel = {0, 0, 0, 255};
  for (size_t c = 0; c < 3; ++c)
    pixel[c] = std::max(Distance(expected[c], actual[c]), alpha);
  return pixel;
}

// What a function makes of the pixels that both pictures have, and magenta for those of one.
template <class Function>
Result<Picture> MapPixels(const Picture& expected, const Picture& actual, Function function) {
  constexpr Pixel kMissing = {255, 0, 255, 255};
  const uint32_t full_width = std::max(expected.width, actual.width);
  const uint32_t full_height = std::max(expected.height, actual.height);
  DP2TRACE_RETURN_IF_ERROR(CheckPngSize(full_width, full_height));
  Picture result(full_width, full_height);
  const uint32_t width = std::min(expected.width, actual.width);
  const uint32_t height = std::min(expected.height, actual.height);
  for (uint32_t y = 0; y < result.height; ++y) {
    for (uint32_t x = 0; x < result.width; ++x) {
      const bool is_common = x < width && y < height;
      const Pixel pixel =
          is_common ? function(PixelAt(expected, x, y), PixelAt(actual, x, y)) : kMissing;
      std::ranges::copy(pixel, result.at(x, y).begin());
    }
  }
  return result;
}

}  // namespace

Comparison Compare(const Picture& expected, const Picture& actual) {
  Comparison result;
  result.expected = {expected.width, expected.height};
  result.actual = {actual.width, actual.height};
  result.same_size = result.expected == result.actual;
  const uint32_t width = std::min(expected.width, actual.width);
  const uint32_t height = std::min(expected.height, actual.height);
  for (uint32_t y = 0; y < std::max(expected.height, actual.height); ++y) {
    if (y < height && width != 0 && !RowsEqual(expected, actual, width, y)) {
      for (uint32_t x = 0; x < width; ++x) {
        ComparePixel(result, PixelAt(expected, x, y), PixelAt(actual, x, y), x, y);
      }
    }
    CompareRowEnds(result, expected, actual, y);
  }
  return result;
}

Result<Picture> DifferencePicture(const Picture& expected, const Picture& actual) {
  return MapPixels(expected, actual, DifferencePixel);
}

Result<Picture> AbsoluteDifference(const Picture& expected, const Picture& actual) {
  return MapPixels(expected, actual, DistancePixel);
}

std::string DescribePlace(const Comparison& comparison) {
  std::string text = ", in region " + d3d::RectangleText(comparison.left, comparison.top,
                                                         comparison.right, comparison.bottom);
  if (!comparison.first) return text;
  const PixelDifference& first = *comparison.first;
  return text + fmt::format("; first at {},{}: expected {}, actual {}; largest difference {}",
                            first.x, first.y, d3d::ColorText(first.expected),
                            d3d::ColorText(first.actual), comparison.largest_difference);
}

std::string Describe(const Comparison& comparison) {
  if (comparison.equal()) return "equal";
  const std::string_view noun =
      comparison.differing_pixels == 1 ? "pixel differs" : "pixels differ";
  std::string text =
      fmt::format("{} {}{}", comparison.differing_pixels, noun, DescribePlace(comparison));
  if (comparison.same_size) return text;
  const PictureSize& expected = comparison.expected;
  const PictureSize& actual = comparison.actual;
  return text + fmt::format("; the sizes differ: expected {}x{}, actual {}x{}", expected.width,
                            expected.height, actual.width, actual.height);
}

}  // namespace dp2trace::image
