#include "image/loose_compare.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

namespace dp2trace::image {
namespace {

// Pictures are as large as memory allows two of them to be: rows are copied so many at a time.
constexpr uint32_t kBandHeight = 64;

uint8_t Distance(std::span<const uint8_t> a, std::span<const uint8_t> b,
                 const LooseOptions& options) {
  int largest = 0;
  for (size_t c = 0; c < (options.ignores_alpha ? 3U : 4U); ++c)
    largest = std::max(largest, std::abs(int{a[c]} - int{b[c]}));
  return static_cast<uint8_t>(largest);
}

// The picture has such a pixel around (x, y).
bool HasNear(const Picture& picture, std::span<const uint8_t> pixel, uint32_t x, uint32_t y,
             const LooseOptions& options) {
  const uint32_t reach = options.edge_pixels;
  for (uint32_t v = y - std::min(y, reach); v < picture.height && v <= y + reach; ++v) {
    for (uint32_t u = x - std::min(x, reach); u < picture.width && u <= x + reach; ++u) {
      if (Distance(picture.at(u, v), pixel, options) <= options.tolerance) return true;
    }
  }
  return false;
}

// A part of both pictures, from (x, y) of them on.
struct Band {
  const Picture& expected;
  const Picture& actual;
  uint32_t x, y;
};

// Pixels that need not be equal are made equal: what is left is a matter of exact comparison.
void Forgive(const Band& band, const Picture& expected, Picture& actual,
             const LooseOptions& options, LooseComparison& result) {
  const uint32_t width = std::min(expected.width, actual.width);
  const uint32_t height = std::min(expected.height, actual.height);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      const uint8_t distance = DistanceAt(expected, actual, x, y, options);
      if (distance <= options.tolerance) {
        if (distance != 0) ++result.tolerated_pixels;
        result.largest_tolerated = std::max(result.largest_tolerated, distance);
      } else if (IsForgiven(band.expected, band.actual, band.x + x, band.y + y, options)) {
        ++result.edge_pixels;
      } else {
        if (options.ignores_alpha) actual.at(x, y)[3] = expected.at(x, y)[3];
        continue;
      }
      std::ranges::copy(expected.at(x, y), actual.at(x, y).begin());
    }
  }
}

// What of the region the picture has; all of the picture without one.
Region PartOf(const Picture& picture, const std::optional<Region>& region) {
  if (!region) return {0, 0, picture.width, picture.height};
  const uint32_t x = std::min(region->x, picture.width);
  const uint32_t y = std::min(region->y, picture.height);
  return {x, y, std::min(region->width, picture.width - x),
          std::min(region->height, picture.height - y)};
}

// Adds what was found below.
void Append(Comparison& comparison, const Comparison& below) {
  if (below.differing_pixels == 0) return;
  const bool is_first = comparison.differing_pixels == 0;
  comparison.left = is_first ? below.left : std::min(comparison.left, below.left);
  comparison.top = is_first ? below.top : comparison.top;
  comparison.right = std::max(comparison.right, below.right);
  comparison.bottom = below.bottom;
  comparison.differing_pixels += below.differing_pixels;
  comparison.largest_difference = std::max(comparison.largest_difference, below.largest_difference);
  if (!comparison.first) comparison.first = below.first;
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

Picture CutToRegion(const Picture& picture, const Region& region) {
  const Region cut = PartOf(picture, region);
  Picture part(cut.width, cut.height);
  for (uint32_t y = 0; y < part.height && part.width != 0; ++y)
    std::copy_n(picture.at(cut.x, cut.y + y).data(), size_t{4} * part.width, part.at(0, y).data());
  return part;
}

uint8_t DistanceAt(const Picture& a, const Picture& b, uint32_t x, uint32_t y,
                   const LooseOptions& options) {
  return Distance(a.at(x, y), b.at(x, y), options);
}

bool IsForgiven(const Picture& a, const Picture& b, uint32_t x, uint32_t y,
                const LooseOptions& options) {
  if (DistanceAt(a, b, x, y, options) <= options.tolerance) return true;
  return options.edge_pixels != 0 && HasNear(a, b.at(x, y), x, y, options) &&
         HasNear(b, a.at(x, y), x, y, options);
}

LooseComparison CompareLoosely(const Picture& expected, const Picture& actual,
                               const LooseOptions& options) {
  LooseComparison result;
  result.beyond.expected = {expected.width, expected.height};
  result.beyond.actual = {actual.width, actual.height};
  const Region wanted = PartOf(expected, options.region);
  const Region made = PartOf(actual, options.region);
  result.beyond.same_size = wanted.width == made.width && wanted.height == made.height;
  const uint32_t width = std::max(wanted.width, made.width);
  const uint32_t height = std::max(wanted.height, made.height);
  result.compared_pixels = uint64_t{width} * height;
  const Region whole = options.region.value_or(Region{});
  for (uint32_t y = 0; y < height; y += kBandHeight) {
    const Region band = {whole.x, whole.y + y, width, std::min(kBandHeight, height - y)};
    const Picture wanted_band = CutToRegion(expected, band);
    Picture made_band = CutToRegion(actual, band);
    Forgive({expected, actual, whole.x, whole.y + y}, wanted_band, made_band, options, result);
    Comparison beyond = Compare(wanted_band, made_band);
    Move(beyond, band);
    Append(result.beyond, beyond);
  }
  return result;
}

}  // namespace dp2trace::image
