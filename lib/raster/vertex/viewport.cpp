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

vertex::ViewportMapping ViewportMappingOf(const device::Context& context) {
  const device::Viewport viewport = ViewportOf(context);
  return vertex::ViewportMapping({.x = viewport.x,
                                  .y = viewport.y,
                                  .width = viewport.width,
                                  .height = viewport.height,
                                  .min_z = context.state.min_z,
                                  .max_z = context.state.max_z});
}

ScreenVertex Map(const vertex::ViewportMapping& viewport, const Vertex& vertex) {
  ScreenVertex result = WithAttributes(vertex);
  // An intersection with the guard plane may lie a rounding error in front of it.
  Float4 clip = vertex.position;
  clip[3] = Max(clip[3], kLeastW);
  const Float4 place = viewport.Map(clip);
  result.x = place[0];
  result.y = place[1];
  result.z = place[2];
  result.rhw = place[3];
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
