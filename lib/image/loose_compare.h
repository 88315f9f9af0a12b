// Comparison of two pictures that leaves room: for drivers, whose pixels may be off by a step. Golden images are compared exactly
// (compare.h), never with this.
#pragma once

#include <cstdint>
#include <optional>

#include "image/compare.h"
#include "image/picture.h"

namespace dp2trace::image {

// In pixels; cut to the pictures.
struct Region {
  uint32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Region&) const = default;
};

struct LooseOptions {
  uint8_t tolerance = 0;  // a channel may be off by so much
  bool ignores_alpha = false;
  std::optional<Region> region = {};  // nothing else is compared
  // Edges of triangles and borders of texels may lie elsewhere by so many pixels, 0 to kMaxEdgePixels.
  uint8_t edge_pixels = 0;
};

inline constexpr uint8_t kMaxEdgePixels = 8;

struct LooseComparison {
  // The pixels with a channel that is further off than the tolerance; coordinates are those of the pictures.
  Comparison beyond;
  uint64_t tolerated_pixels = 0;  // that differ, but not further
  uint64_t edge_pixels = 0;       // that differ further, at an edge
  uint8_t largest_tolerated = 0;  // difference of a channel of these
  uint64_t compared_pixels = 0;   // of the region, or of the larger of both
  // Nothing was forgiven.
  bool is_exact() const { return tolerated_pixels == 0 && edge_pixels == 0; }
};

// What of the region the picture has.
Picture CutToRegion(const Picture& picture, const Region& region);
// How far the pixels at (x, y) of two pictures are apart: the largest channel that counts.
uint8_t DistanceAt(const Picture& a, const Picture& b, uint32_t x, uint32_t y,
                   const LooseOptions& options);

// Whether the pixel counts as equal: no further off than the tolerance, or at an edge: each picture has within `edge_pixels` of it what the other
// one has there.
bool IsForgiven(const Picture& a, const Picture& b, uint32_t x, uint32_t y,
                const LooseOptions& options);

LooseComparison CompareLoosely(const Picture& expected, const Picture& actual,
                               const LooseOptions& options);

}  // namespace dp2trace::image
