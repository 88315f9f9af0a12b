// Between the vertex side and the pixel side: primitives in target pixels.
// Source: lib/raster/rendering-geometry.md 1.2 to 1.7.
#pragma once

#include <array>
#include <cstdint>

#include "device/draw.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

class PrimitiveSink {
 public:
  virtual ~PrimitiveSink() = default;
  // A square of point_size.
  virtual void Point(const ScreenVertex& vertex) = 0;
  // `pattern_start`: the segment starts the line pattern anew; `draws_last`: its last pixel may be drawn (LASTPIXEL decides).
  virtual void Line(const ScreenVertex& a, const ScreenVertex& b, bool pattern_start,
                    bool draws_last) = 0;
  // A polygon of 3 to 16 vertices from one triangle, to be drawn as a fan from the first; flat colours are set in all of its vertices
  // already. Bit i of `edges`: the edge from vertex i to the next is drawn in wireframe. Culling is the sink's.
  virtual void Polygon(const ScreenVertex* vertices, uint32_t count, uint32_t edges) = 0;
};

}  // namespace dp2trace::raster
