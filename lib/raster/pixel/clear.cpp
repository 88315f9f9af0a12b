#include "raster/pixel/clear.h"

#include <vector>

#include "image/fill.h"
#include "raster/math.h"
#include "raster/pixel/srgb.h"
#include "raster/pixel/write.h"

namespace dp2trace::raster {
namespace {

using d3d::ClearFlag;

bool Has(const device::ClearDraw& clear, ClearFlag flag) {
  return (clear.flags & d3d::Value(flag)) != 0;
}

// The rectangles before they are cut to a surface. Without rectangles and COMPUTERECTS nothing is cleared (14.2).
std::vector<PixelRect> RectsOf(const device::State& state, const device::ClearDraw& clear) {
  const bool computes = Has(clear, ClearFlag::ComputeRects);
  const PixelRect limit = ViewportAndScissor(state);
  std::vector<PixelRect> rects;
  for (const d3d::Rect& rect : clear.rects) {
    const PixelRect given = {rect.left, rect.top, rect.right, rect.bottom};
    rects.push_back(computes ? Intersect(given, limit) : given);
  }
  if (clear.rects.empty() && computes) rects.push_back(limit);
  return rects;
}

// The colour through the sRGB curve, alpha as it is.
uint32_t EncodeSrgb(uint32_t argb) {
  const Float4 color = FromColor(argb);
  uint32_t result = argb & 0xFF000000U;
  for (uint32_t i = 0; i < 3; ++i) {
    const float encoded = Saturate(LinearToSrgb(color[i]));
    result |= static_cast<uint32_t>(encoded * 255.0F + 0.5F) << (16 - 8 * i);
  }
  return result;
}

// The part of the rectangle inside the surface, or an empty area.
image::Area AreaOf(const PixelRect& rect, const device::SurfaceRef& surface) {
  const PixelRect inside = Intersect(rect, WholeSurface(surface));
  if (inside.empty()) return {};
  return {.left = static_cast<uint32_t>(inside.left),
          .top = static_cast<uint32_t>(inside.top),
          .right = static_cast<uint32_t>(inside.right),
          .bottom = static_cast<uint32_t>(inside.bottom)};
}

// Four pixels a step.
uint64_t StepsOf(const image::Area& area) {
  return uint64_t{area.width()} * area.height() / 4 + 1;
}

void ClearColor(const device::State& state, const device::SurfaceRef& target,
                const std::vector<PixelRect>& rects, uint32_t argb, WorkBudget* work) {
  if (!target || IsNullTarget(target)) return;
  const bool is_srgb =
      state.value(d3d::RenderState::SrgbWriteEnable) != 0 && CanWriteSrgb(target.surface().info());
  const uint32_t color = is_srgb ? EncodeSrgb(argb) : argb;
  for (const PixelRect& rect : rects) {
    const image::Area area = AreaOf(rect, target);
    if (work != nullptr && !work->Spend(StepsOf(area))) return;
    // Fails only where a rectangle cuts the blocks of a format that is no target; it is left alone then.
    [[maybe_unused]] const Status status =
        image::Fill(target.surface(), target.face, target.level, area, color);
  }
}

void ClearDepth(const device::SurfaceRef& depth, const std::vector<PixelRect>& rects,
                const device::ClearDraw& clear, WorkBudget* work) {
  const image::DepthFill fill = {.writes_depth = Has(clear, ClearFlag::ZBuffer),
                                 .writes_stencil = Has(clear, ClearFlag::Stencil),
                                 .depth = clear.depth,
                                 .stencil = clear.stencil};
  if (!depth || !(fill.writes_depth || fill.writes_stencil)) return;
  for (const PixelRect& rect : rects) {
    const image::Area area = AreaOf(rect, depth);
    if (work != nullptr && !work->Spend(StepsOf(area))) return;
    // Fails only for a surface without depth; it is left alone then.
    [[maybe_unused]] const Status status =
        image::FillDepth(depth.surface(), depth.face, depth.level, area, fill);
  }
}

}  // namespace

void Clear(const device::State& state, const BoundSurfaces& surfaces,
           const device::ClearDraw& clear, WorkBudget* work) {
  const std::vector<PixelRect> rects = RectsOf(state, clear);
  if (Has(clear, ClearFlag::Target)) {
    for (const device::SurfaceRef& target : surfaces.colors) {
      ClearColor(state, target, rects, clear.color, work);
    }
  }
  ClearDepth(surfaces.depth, rects, clear, work);
}

}  // namespace dp2trace::raster
