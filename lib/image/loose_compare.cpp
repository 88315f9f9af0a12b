#include "image/loose_compare.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace dp2trace::image {
namespace {

// Pixels that need not be equal are made equal: what is left is a matter of exact comparison.
void Forgive(const Picture& expected, Picture& actual, const LooseOptions& options,
             LooseComparison& result) {
  const uint32_t width = std::min(expected.width, actual.width);
  const uint32_t height = std::min(expected.height, actual.height);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      const uint8_t distance = DistanceAt(expected, actual, x, y, options);
      if (distance > options.tolerance) {
        if (options.ignores_alpha) actual.at(x, y)[3] = expected.at(x, y)[3];
        continue;
      }
      if (distance != 0) ++result.tolerated_pixels;
      result.largest_tolerated = std::max(result.largest_tolerated, distance);
      std::ranges::copy(expected.at(x, y), actual.at(x, y).begin());
    }
  }
}

void Move(Comparison& comparison, const Region& region) {
  if (comparison.differing_pixels != 0) {
    comparison.left += region.x;
    comparison.right += region.x;
    comparison.top += region.y;
    comparison.bottom += region.y;
  }
  if (!comparison.first) return;
  comparison.first->x += region.x;
  comparison.first->y += region.y;
}

}  // namespace

Picture CutToRegion(const Picture& picture, const LooseOptions& options) {
  if (!options.region) return picture;
  const Region& region = *options.region;
  const uint32_t left = std::min(region.x, picture.width);
  const uint32_t top = std::min(region.y, picture.height);
  Picture part(std::min(region.width, picture.width - left),
               std::min(region.height, picture.height - top));
  for (uint32_t y = 0; y < part.height; ++y) {
    for (uint32_t x = 0; x < part.width; ++x)
      std::ranges::copy(picture.at(left + x, top + y), part.at(x, y).begin());
  }
  return part;
}

uint8_t DistanceAt(const Picture& a, const Picture& b, uint32_t x, uint32_t y,
                   const LooseOptions& options) {
  int largest = 0;
  for (size_t c = 0; c < (options.ignores_alpha ? 3U : 4U); ++c)
    largest = std::max(largest, std::abs(int{a.at(x, y)[c]} - int{b.at(x, y)[c]}));
  return static_cast<uint8_t>(largest);
}

LooseComparison CompareLoosely(const Picture& expected, const Picture& actual,
                               const LooseOptions& options) {
  LooseComparison result;
  result.expected = {expected.width, expected.height};
  result.actual = {actual.width, actual.height};
  const Picture wanted = CutToRegion(expected, options);
  Picture made = CutToRegion(actual, options);
  result.compared_pixels =
      uint64_t{std::max(wanted.width, made.width)} * std::max(wanted.height, made.height);
  Forgive(wanted, made, options, result);
  result.beyond = Compare(wanted, made);
  if (options.region) Move(result.beyond, *options.region);
  return result;
}

}  // namespace dp2trace::image
