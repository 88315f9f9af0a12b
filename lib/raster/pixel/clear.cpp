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

// The rectangles of one surface.
void AddFills(ClearFill fill, const std::vector<PixelRect>& rects, WorkBudget* work,
              std::vector<ClearFill>& fills) {
  for (const PixelRect& rect : rects) {
    fill.area = AreaOf(rect, fill.surface);
    if (work != nullptr && !work->Spend(StepsOf(fill.area))) return;
    if (fill.area != image::Area{}) fills.push_back(fill);
  }
}

}  // namespace

// Without rectangles and COMPUTERECTS nothing is cleared (14.2).
std::vector<PixelRect> ClearRects(const device::State& state, const device::ClearDraw& clear) {
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

std::vector<ClearFill> FillsOf(const device::State& state, const BoundSurfaces& surfaces,
                               const device::ClearDraw& clear, WorkBudget* work) {
  const std::vector<PixelRect> rects = ClearRects(state, clear);
  const bool encodes = state.value(d3d::RenderState::SrgbWriteEnable) != 0;
  std::vector<ClearFill> fills;
  for (const device::SurfaceRef& target : surfaces.colors) {
    if (!Has(clear, ClearFlag::Target) || !target || IsNullTarget(target)) continue;
    ClearFill fill = {.surface = target, .area = {}, .depth = {}, .argb = clear.color};
    if (encodes && CanWriteSrgb(target.surface().info())) fill.argb = EncodeSrgb(clear.color);
    AddFills(fill, rects, work, fills);
  }
  const image::DepthFill depth = {.writes_depth = Has(clear, ClearFlag::ZBuffer),
                                  .writes_stencil = Has(clear, ClearFlag::Stencil),
                                  .depth = clear.depth,
                                  .stencil = clear.stencil};
  if (surfaces.depth && (depth.writes_depth || depth.writes_stencil))
    AddFills({.surface = surfaces.depth, .area = {}, .depth = depth}, rects, work, fills);
  return fills;
}

std::vector<ClearFill> Clear(const device::State& state, const BoundSurfaces& surfaces,
                             const device::ClearDraw& clear, WorkBudget* work) {
  std::vector<ClearFill> fills = FillsOf(state, surfaces, clear, work);
  // Fails only where a rectangle cuts the blocks of a format that is not a target, and for a surface without depth; they are left alone then.
  std::erase_if(fills, [](const ClearFill& fill) {
    const device::SurfaceRef& to = fill.surface;
    return fill.depth
               ? !image::FillDepth(to.surface(), to.face, to.level, fill.area, *fill.depth).ok()
               : !image::Fill(to.surface(), to.face, to.level, fill.area, fill.argb).ok();
  });
  return fills;
}

}  // namespace dp2trace::raster
