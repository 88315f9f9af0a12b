#include "raster/pixel/clip_rectangle.h"

#include <algorithm>
#include <limits>

namespace dp2trace::raster {
namespace {

// Beyond every pixel.
constexpr int64_t kFar = std::numeric_limits<int32_t>::max();
constexpr PixelRect kEverything = {0, 0, kFar, kFar};

}  // namespace

PixelRect Intersect(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

PixelRect Around(const PixelRect& a, const PixelRect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

bool BoundSurfaces::Contains(const device::Resource& resource) const {
  return depth.resource == &resource ||
         std::ranges::any_of(
             colors, [&](const device::SurfaceRef& color) { return color.resource == &resource; });
}

BoundSurfaces SurfacesOf(const device::Context& context) {
  BoundSurfaces surfaces;
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    surfaces.colors[slot] = context.Target(slot);
  }
  surfaces.depth = context.Depth();
  return surfaces;
}

bool IsNullTarget(const device::SurfaceRef& target) {
  return target && target.surface().info().kind == d3d::FormatKind::kNone;
}

PixelRect WholeSurface(const device::SurfaceRef& surface) {
  if (!surface || !surface.surface().HasLevel(surface.face, surface.level)) return {};
  const image::Area area = surface.surface().WholeLevel(surface.level);
  return {0, 0, area.right, area.bottom};
}

PixelRect ViewportAndScissor(const device::State& state) {
  PixelRect rect = kEverything;
  if (state.viewport) {
    const device::Viewport& v = *state.viewport;
    rect = Intersect(rect, {v.x, v.y, int64_t{v.x} + v.width, int64_t{v.y} + v.height});
  }
  if (state.value(d3d::RenderState::ScissorTestEnable) != 0 && state.scissor) {
    const d3d::Rect& s = *state.scissor;
    rect = Intersect(rect, {s.left, s.top, s.right, s.bottom});
  }
  return rect;
}

PixelRect ClipRectangle(const device::State& state, const BoundSurfaces& surfaces,
                        bool uses_depth) {
  PixelRect rect = ViewportAndScissor(state);
  bool is_limited = false;
  for (const device::SurfaceRef& target : surfaces.colors) {
    if (!target || IsNullTarget(target)) continue;
    rect = Intersect(rect, WholeSurface(target));
    is_limited = true;
  }
  // Unspecified: a depth buffer smaller than the target; chosen: pixels outside it are not drawn while it is tested.
  if (surfaces.depth && (uses_depth || !is_limited)) {
    rect = Intersect(rect, WholeSurface(surfaces.depth));
    is_limited = true;
  }
  return is_limited ? rect : PixelRect{};
}

}  // namespace dp2trace::raster
