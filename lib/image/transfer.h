// Copying areas between a level and bytes with foreign pitches. Internal to this folder.
#pragma once

#include <cstdint>
#include <optional>

#include "image/level.h"
#include "image/surface.h"

namespace dp2trace::image {

// Rows of equal length at a fixed distance.
struct Plane {
  uint64_t offset = 0;  // from the first byte of the slice
  uint64_t pitch = 0;
  uint64_t row_size = 0;
  uint64_t rows = 0;
};

// How the bytes of an area lie outside a surface.
struct AreaLayout {
  Plane planes[3];
  uint32_t plane_count = 0;
  uint32_t width = 0, height = 0;  // texels
  uint32_t slices = 0;
  uint64_t slice_pitch = 0;
  // Bytes from the first to the last one; padding after the last row does not count.
  uint64_t size = 0;
};

// Pitch 0 means without padding. Nothing when a pitch is too small or a size overflows.
std::optional<AreaLayout> LayoutOf(const d3d::FormatInfo& info, const Area& area, uint64_t pitch,
                                   uint64_t slice_pitch);

// Copies between bytes in this layout and the level from texel (x, y) of slice z on. Both sides have been checked.
void CopyIn(const AreaLayout& layout, const uint8_t* source, const Level& target, uint32_t x,
            uint32_t y, uint32_t z);
void CopyOut(const AreaLayout& layout, const ConstLevel& source, uint32_t x, uint32_t y, uint32_t z,
             uint8_t* target);

}  // namespace dp2trace::image
