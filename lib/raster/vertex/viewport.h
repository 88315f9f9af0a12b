// From clip space to target pixels. Source: rendering specification, 1.1.
#pragma once

#include "device/context.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

// VIEWPORTINFO, or the whole target.
device::Viewport ViewportOf(const device::Context& context);

class ViewportMapping {
 public:
  explicit ViewportMapping(const device::Context& context);

  // Of a vertex behind the clipping planes: w > 0.
  ScreenVertex Map(const Vertex& vertex) const;

 private:
  float half_width_, half_height_, center_x_, center_y_, min_z_, depth_range_;
};

// The screen vertex that a transformed vertex is; rhw 0 is taken as w = 1.
ScreenVertex ScreenVertexOf(const Vertex& transformed);

}  // namespace dp2trace::raster
