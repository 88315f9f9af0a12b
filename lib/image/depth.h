// Depth and stencil in their stored form. Source: lib/raster/rendering-texture.md 3.11; lib/raster/rendering-output.md 5.4; lib/opcode/dp2.md 13.5.
#pragma once

#include <cstdint>

#include "d3d/formats.h"

namespace dp2trace::image {

// The stored integers (for float depth: the bits), shifted down to bit 0.
struct DepthStencil {
  uint32_t depth = 0;
  uint32_t stencil = 0;
  bool operator==(const DepthStencil&) const = default;
};

// Bits of each part; 0 where the format has none.
uint32_t DepthBits(const d3d::FormatInfo& info);
uint32_t StencilBits(const d3d::FormatInfo& info);

DepthStencil LoadDepthStencil(const d3d::FormatInfo& info, const uint8_t* pixel);
// Writes the named parts, cut to their bits, keeps the others and sets unused bits to 0.
void StoreDepthStencil(const d3d::FormatInfo& info, const DepthStencil& value, bool writes_depth,
                       bool writes_stencil, uint8_t* pixel);

// A depth in [0, 1] to the stored integer, half up in binary64; float formats round to nearest even. Clamps, NaN gives 0.
uint32_t QuantizeDepth(const d3d::FormatInfo& info, double depth);
// Back to binary64: q / (2^n - 1), or the float. 0 where the format has no depth.
double DepthToDouble(const d3d::FormatInfo& info, uint32_t stored);

}  // namespace dp2trace::image
