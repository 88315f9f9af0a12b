// From clip space to target pixels. Source: lib/raster/rendering-geometry.md 1.1.
#pragma once

#include <cstdint>

#include "vertex/math.h"

namespace dp2trace::vertex {

// VIEWPORTINFO and ZRANGE.
struct ViewportArea {
  uint32_t x = 0, y = 0, width = 0, height = 0;
  float min_z = 0, max_z = 1;
};

enum class DepthRange : uint8_t {
  kLeast,    // max_z is at least min_z + 0.001, as drawing has it
  kAsGiven,  // ProcessVertices: an empty or reversed range is used as it is
};

struct ViewportMapping {
  float half_width = 0, half_height = 0, center_x = 0, center_y = 0, min_z = 0, depth_range = 1;

  ViewportMapping() = default;
  explicit ViewportMapping(const ViewportArea& area, DepthRange range = DepthRange::kLeast);

  // Target x and y, depth, 1 / w of a place in clip space.
  Float4 Map(const Float4& clip) const;
};

}  // namespace dp2trace::vertex
