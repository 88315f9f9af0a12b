// Exact comparison of two pictures. There is no tolerance: a pixel is equal or it differs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "image/picture.h"

namespace dp2trace::image {

// A pixel that differs; R, G, B, A.
struct PixelDifference {
  uint32_t x = 0;
  uint32_t y = 0;
  std::array<uint8_t, 4> expected = {};
  std::array<uint8_t, 4> actual = {};
  bool operator==(const PixelDifference&) const = default;
};

struct PictureSize {
  uint32_t width = 0, height = 0;
  bool operator==(const PictureSize&) const = default;
};

// Pixels outside the area that both pictures have count as differing; they have no difference value.
struct Comparison {
  bool same_size = true;         // of what is compared
  PictureSize expected, actual;  // whole pictures
  uint64_t differing_pixels = 0;
  // The smallest rectangle around all differing pixels: right and bottom exclusive, all 0 when there is none.
  uint32_t left = 0, top = 0, right = 0, bottom = 0;
  uint8_t largest_difference = 0;        // of a channel, over the common area
  std::optional<PixelDifference> first;  // of the common area, in row order

  bool equal() const { return same_size && differing_pixels == 0; }
  bool operator==(const Comparison&) const = default;
};

Comparison Compare(const Picture& expected, const Picture& actual);
// ", in region X,Y,WIDTH,HEIGHT; first at X,Y: expected #aarrggbb, actual #aarrggbb; largest difference N" of one that differs.
std::string DescribePlace(const Comparison& comparison);

// A picture of the larger width and height: equal pixels as a dark grey copy of `expected`, differing ones from yellow (one step)
// to red (255 steps, largest channel), pixels that only one picture has magenta. Alpha is 255 throughout.
// Fails (IO-001) when it would be too large for a PNG.
Result<Picture> DifferencePicture(const Picture& expected, const Picture& actual);

// A picture of the larger width and height: how far apart the pixels are, per channel; a difference of alpha, which would not be seen, is
// grey. Pixels that only one picture has are magenta. Alpha is 255 throughout. Fails (IO-001) as above.
Result<Picture> AbsoluteDifference(const Picture& expected, const Picture& actual);

// One sentence for people: counts, first pixel, largest difference, the sizes where they differ.
std::string Describe(const Comparison& comparison);

}  // namespace dp2trace::image
