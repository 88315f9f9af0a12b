// Planes of YUV formats one by one, for a filter that reads each at its own resolution. Source: lib/raster/rendering-texture.md 3.7.1.
#pragma once

#include <array>
#include <cstdint>

#include "image/level.h"
#include "image/texel.h"

namespace dp2trace::image {

// Y, U and V, [0, 255], as stored integers of R, G, B and A (255).
StoredTexel FromYuv(float y, float u, float v);

// Of a level of a planar format. Y of texel (x, y); U and V of the 2x2 block (i, j): those of texel (2i, 2j).
float PlanarLuma(const ConstLevel& level, uint32_t x, uint32_t y, uint32_t z = 0);
std::array<float, 2> PlanarChroma(const ConstLevel& level, uint32_t i, uint32_t j, uint32_t z = 0);

}  // namespace dp2trace::image
