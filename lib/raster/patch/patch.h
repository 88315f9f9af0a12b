// Higher-order primitives: turns control points, and triangles with normals, into triangle lists for the ordinary pipeline.
// Source: lib/raster/rendering-geometry.md 6.
#pragma once

#include <cstdint>
#include <vector>

#include "device/context.h"
#include "device/draw.h"

namespace dp2trace::raster {

// An indexed triangle list with one stream. The elements are those of the source, in its order, as floats.
struct Tessellated {
  device::VertexLayout layout;
  std::vector<uint8_t> vertices;
  std::vector<uint32_t> indices;
  uint32_t stride = 0;  // bytes

  // A draw of these triangles with the event and offset of `source`. It refers to this object, which must not change meanwhile.
  device::Draw ToDraw(const device::Draw& source) const;
};

// A rectangle or triangle patch. Empty where basis, degree and size do not fit. Counts of segments are at most max_segments for
// each edge; limit_hit is set where one was larger.
Tessellated TessellatePatch(const device::Context& context, const device::PatchDraw& patch,
                            uint32_t max_segments, bool& limit_hit);

// True where N-patches are on and make more than one triangle of each: triangles with normals that are not transformed.
bool UsesNPatches(const device::Context& context, const device::Draw& draw);
// Input triangles of all instances.
uint64_t NPatchCount(const device::Draw& draw);
// N-patches from number `next` on, as many as fit into a bounded batch (at least one); moves `next` after them. Draw the batches one
// after the other until next is NPatchCount().
Tessellated TessellateNPatches(const device::Context& context, const device::Draw& draw,
                               uint64_t& next, uint32_t max_segments, bool& limit_hit);

}  // namespace dp2trace::raster
