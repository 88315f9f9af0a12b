// The sRGB curve of SRGBTEXTURE on stored channels. Source: lib/raster/rendering-texture.md 3.8.
#pragma once

#include <cstdint>

namespace dp2trace::raster {

// The linear value of a stored channel of 1 to 8 bits; value < 2^bits.
float LinearOfStored(uint32_t value, uint32_t bits);
// The same as a table: that of channels of `bits` bits.
const float* LinearOfStoredTable(uint32_t bits);

}  // namespace dp2trace::raster
