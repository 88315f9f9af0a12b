// Primitives of the vertex side into quads for the pixel side: culling and fill modes.
// Source: lib/raster/rendering-geometry.md 1.4 to 1.6.
#pragma once

#include "raster/pixel/output.h"
#include "raster/primitive/planes.h"
#include "raster/primitive/raster_state.h"
#include "raster/vertex/sink.h"

namespace dp2trace::raster {

// The depth bias of a polygon whose outline is drawn: that of its first triangle that has an area; all lie in one plane.
double BiasOf(const RasterState& state, const ScreenVertex* vertices, const FixedPoint* points,
              uint32_t count);

class Rasterizer final : public PrimitiveSink {
 public:
  // State and output outlive the rasterizer.
  Rasterizer(const RasterState& state, PixelOutput& output) : state_(&state), output_(&output) {}

  void Point(const ScreenVertex& vertex) override;
  void Line(const ScreenVertex& a, const ScreenVertex& b, bool pattern_start,
            bool draws_last) override;
  void Polygon(const ScreenVertex* vertices, uint32_t count, uint32_t edges) override;

 private:
  bool IsCulled(int64_t area2) const;
  void Fill(const ScreenVertex* vertices, const FixedPoint* points, uint32_t count);
  void Outline(const ScreenVertex* vertices, const FixedPoint* points, uint32_t count,
               uint32_t edges);

  const RasterState* state_;
  PixelOutput* output_;
  uint32_t pattern_pixel_ = 0;
};

}  // namespace dp2trace::raster
