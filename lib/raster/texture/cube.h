// Cube maps: a direction to a face and its coordinates. Source: lib/raster/rendering-texture.md 3.6.
#pragma once

#include <cstdint>

#include "raster/math.h"

namespace dp2trace::raster {

// 0 to 5 = +X, -X, +Y, -Y, +Z, -Z: the axis of largest magnitude; z wins ties over y over x.
uint32_t CubeFaceOf(const Float4& direction);

// u and v of the direction on this face, whether or not it points there: divided by the magnitude along the axis of the face; 0.5
// where that is 0.
Float4 CubeCoordinates(const Float4& direction, uint32_t face);

}  // namespace dp2trace::raster
