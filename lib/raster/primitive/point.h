// Points: squares of the size of the vertex, and point sprites. Source: lib/raster/rendering-geometry.md 1.5.
#pragma once

#include "raster/pixel/output.h"
#include "raster/primitive/raster_state.h"

namespace dp2trace::raster {

// A point primitive; sprites where the state has them.
void DrawPoint(const RasterState& state, const ScreenVertex& vertex, PixelOutput& output);

// A corner of a triangle in fill mode POINT: one pixel at the snapped position, with the depth bias of the triangle.
void DrawCorner(const RasterState& state, const ScreenVertex& vertex, double bias, bool is_front,
                PixelOutput& output);

}  // namespace dp2trace::raster
