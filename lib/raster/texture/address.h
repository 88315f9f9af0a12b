// Texture coordinates to texel indices along one axis: quantisation and address modes.
// Source: lib/raster/rendering-texture.md 3.2.
#pragma once

#include <cstdint>

namespace dp2trace::raster {

// The texel coordinate in units of 1/256 texel: floor(u * size * 256 + 0.5) of the conditioned coordinate. NaN gives 0.
int32_t QuantizeCoordinate(float u, uint32_t mode, uint32_t size);

inline constexpr int32_t kBorderTap = -1;

// Texel index `i` after the address mode: 0 to size - 1, or kBorderTap. Undefined modes are WRAP.
int32_t ResolveTap(int32_t i, uint32_t mode, uint32_t size);

}  // namespace dp2trace::raster
