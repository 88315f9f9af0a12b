#include "raster/patch/patch.h"

#include "raster/patch/patch_kinds.h"

namespace dp2trace::raster {

device::Draw Tessellated::ToDraw(const device::Draw& source) const {
  device::Draw draw;
  draw.type = d3d::PrimitiveType::TriangleList;
  draw.primitive_count = static_cast<uint32_t>(indices.size() / 3);
  draw.layout = &layout;
  draw.streams[0] = {.bytes = vertices, .origin = 0, .stride = stride, .divider = 1};
  const auto* bytes = reinterpret_cast<const uint8_t*>(indices.data());
  draw.indices.bytes = Bytes(bytes, indices.size() * sizeof(uint32_t));
  draw.indices.size = sizeof(uint32_t);
  draw.event = source.event;
  draw.offset = source.offset;
  return draw;
}

Tessellated TessellatePatch(const device::Context& context, const device::PatchDraw& patch,
                            uint32_t max_segments, bool& limit_hit) {
  return patch.info.is_triangle ? TessellateTriangle(context, patch, max_segments, limit_hit)
                                : TessellateRect(context, patch, max_segments, limit_hit);
}

}  // namespace dp2trace::raster
