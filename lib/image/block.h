// DXT1-DXT5, ATI1 and ATI2: blocks of 4 x 4 texels. Source: lib/raster/rendering-texture.md 3.7.2.
#pragma once

#include <array>
#include <cstdint>

#include "d3d/formats.h"
#include "image/texel.h"

namespace dp2trace::image {

// All sixteen texels of a block in row order, 8 bits per channel. `block` has info.block_size bytes.
using BlockTexels = std::array<std::array<uint8_t, 4>, 16>;
BlockTexels DecodeBlock(const d3d::FormatInfo& info, const uint8_t* block);

}  // namespace dp2trace::image
