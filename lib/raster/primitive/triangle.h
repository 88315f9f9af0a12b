// Solid triangles. Source: lib/raster/rendering-geometry.md 1.2, 1.3 and 1.10.
#pragma once

#include <array>

#include "raster/pixel/output.h"
#include "raster/primitive/planes.h"

namespace dp2trace::raster {

// Draws one triangle that is not culled. `points` are the snapped vertices, whose area is not 0.
void DrawTriangle(const RasterState& state, const TriangleVertices& vertices,
                  const std::array<FixedPoint, 3>& points, PixelOutput& output);

}  // namespace dp2trace::raster
