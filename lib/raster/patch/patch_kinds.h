// The two kinds of patches after TessellatePatch(). Source: lib/raster/rendering-geometry.md 6.1 to 6.3.
#pragma once

#include "raster/patch/patch.h"

namespace dp2trace::raster {

Tessellated TessellateRect(const device::Context& context, const device::PatchDraw& patch,
                           uint32_t max_segments, bool& limit_hit);
Tessellated TessellateTriangle(const device::Context& context, const device::PatchDraw& patch,
                               uint32_t max_segments, bool& limit_hit);

}  // namespace dp2trace::raster
