#include "raster/vertex/viewport.h"

#include "raster/vertex/clip.h"

namespace dp2trace::raster {
namespace {

ScreenVertex WithAttributes(const Vertex& vertex) {
  ScreenVertex result;
  result.varyings = vertex.varyings;
  result.fog = vertex.fog;
  result.point_size = vertex.point_size;
  return result;
}

}  // namespace

device::Viewport ViewportOf(const device::Context& context) {
  if (context.state.viewport.has_value()) return *context.state.viewport;
  const device::SurfaceRef target = context.Target(0);
  if (!target) return {};
  const image::Level level = target.bits();
  return {.x = 0, .y = 0, .width = level.width, .height = level.height};
}

ViewportMapping::ViewportMapping(const device::Context& context) {
  constexpr float kLeastDepthRange = 0.001F;
  const device::Viewport viewport = ViewportOf(context);
  const float least = context.state.min_z + kLeastDepthRange;
  const float max_z = context.state.max_z < least ? least : context.state.max_z;
  half_width_ = static_cast<float>(viewport.width) * 0.5F;
  half_height_ = static_cast<float>(viewport.height) * 0.5F;
  center_x_ = static_cast<float>(viewport.x) + half_width_;
  center_y_ = static_cast<float>(viewport.y) + half_height_;
  min_z_ = context.state.min_z;
  depth_range_ = max_z - min_z_;
}

ScreenVertex ViewportMapping::Map(const Vertex& vertex) const {
  ScreenVertex result = WithAttributes(vertex);
  // An intersection with the guard plane may lie a rounding error in front of it.
  const float w = Max(vertex.position[3], kLeastW);
  result.x = (vertex.position[0] / w) * half_width_ + center_x_;
  result.y = center_y_ - (vertex.position[1] / w) * half_height_;
  result.z = (vertex.position[2] / w) * depth_range_ + min_z_;
  result.rhw = 1.0F / w;
  return result;
}

ScreenVertex ScreenVertexOf(const Vertex& transformed) {
  ScreenVertex result = WithAttributes(transformed);
  result.x = transformed.position[0];
  result.y = transformed.position[1];
  result.z = transformed.position[2];
  result.rhw = transformed.position[3] == 0 ? 1.0F : transformed.position[3];
  return result;
}

}  // namespace dp2trace::raster
