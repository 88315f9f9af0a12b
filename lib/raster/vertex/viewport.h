// From clip space to target pixels. Source: lib/raster/rendering-geometry.md 1.1.
#pragma once

#include "device/context.h"
#include "raster/vertex/vertex.h"
#include "vertex/viewport.h"

namespace dp2trace::raster {

// VIEWPORTINFO, or the whole target.
device::Viewport ViewportOf(const device::Context& context);

vertex::ViewportMapping ViewportMappingOf(const device::Context& context);

// Of a vertex behind the clipping planes: w > 0.
ScreenVertex Map(const vertex::ViewportMapping& viewport, const Vertex& vertex);

// The screen vertex that a transformed vertex is; rhw 0 is taken as w = 1.
ScreenVertex ScreenVertexOf(const Vertex& transformed);

}  // namespace dp2trace::raster
