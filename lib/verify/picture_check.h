// Pixels that a driver made beside those of the replay.
// Source: lib/design.md 3 ("Recording"); lib/raster/rendering-output.md 7.6 (how a format becomes 8 bits per channel).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "device/device.h"
#include "image/loose_compare.h"
#include "image/picture.h"
#include "image/surface.h"
#include "trace/events.h"

namespace dp2trace::verify {

// A pixel that differs; in pixels of the surface, R, G, B, A.
struct DifferentPixel {
  uint32_t x = 0;
  uint32_t y = 0;
  std::array<uint8_t, 4> driver = {};
  std::array<uint8_t, 4> replay = {};
};

struct PictureDifference {
  uint64_t pixels = 0;  // with a channel that is further off than the tolerance, and not at an edge
  uint32_t left = 0, top = 0, right = 0,
           bottom = 0;  // around them, in pixels of the surface; right and bottom exclusive
  uint8_t largest = 0;  // difference of a channel, over all pixels but those at edges
  std::optional<DifferentPixel> first;  // in row order
};

// Both sides of a `picture` event as 8 bits per channel. Alpha is 255 where one of the formats has none.
struct PicturePair {
  image::Area area;  // of the level
  uint32_t face = 0;
  uint32_t level = 0;
  image::Picture driver;
  image::Picture replay;
};

// Fails (RECORD-PICTURE-002) where the surface or level does not exist, the rectangle has no pixels or leaves the level, or the bytes are no
// pixels of the format.
Result<PicturePair> PairPictures(const device::Device& device, const trace::Picture& event);

// The options without a region.
PictureDifference Compare(const PicturePair& pair, const image::LooseOptions& options);

// "816 of 4096 pixels differ ..., first at (10, 10): the driver has 60c081ff, the replay 60c080ff; largest difference 1".
std::string Describe(const PictureDifference& difference, const image::Area& area,
                     uint32_t tolerance);

}  // namespace dp2trace::verify
