// Where the texels of one level of one face lie in memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "d3d/formats.h"

namespace dp2trace::image {

// One level: slices of rows of blocks (of pixels for plain formats). A view: the surface owns the bytes.
// Texel (x, y) of slice z is inside when x < width, y < height and z < slices; the callers of this folder's functions see to that.
template <class Byte>
struct BasicLevel {
  const d3d::FormatInfo* info = nullptr;
  uint32_t width = 0;  // pixels
  uint32_t height = 0;
  uint32_t slices = 0;       // of a volume, or samples of a multisampled level
  uint64_t pitch = 0;        // bytes from row (of blocks) to row
  uint64_t slice_pitch = 0;  // bytes from slice to slice
  Byte* bytes = nullptr;     // slices * slice_pitch bytes

  // The block that holds the texel; for planar formats the luma byte.
  Byte* block(uint32_t x, uint32_t y, uint32_t z = 0) const {
    return bytes + z * slice_pitch + y / info->block_height * pitch +
           uint64_t{x / info->block_width} * info->block_size;
  }
};

using Level = BasicLevel<uint8_t>;
using ConstLevel = BasicLevel<const uint8_t>;

}  // namespace dp2trace::image
