// PROJECTED of TEXTURETRANSFORMFLAGS: the division of texture coordinates, per pixel.
// Source: lib/raster/rendering-geometry.md 2.9.
#pragma once

#include <cstdint>
#include <optional>

#include "raster/lanes.h"

namespace dp2trace::raster {

// The component that divides all of them, or nothing where coordinates stay as they are. `flags` is the state,
// `components` that of VertexOutputs::texcoord_components.
std::optional<uint32_t> ProjectionDivisor(uint32_t flags, uint32_t components);

void DivideCoordinates(Float4Quad& coordinates, std::optional<uint32_t> divisor);

}  // namespace dp2trace::raster
