// The CLEAR token. Source: lib/raster/rendering-output.md 7.3; lib/opcode/dp2.md 14.2.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/work_budget.h"
#include "device/draw.h"
#include "image/fill.h"
#include "raster/pixel/clip_rectangle.h"

namespace dp2trace::raster {

// The rectangles before they are cut to a surface.
std::vector<PixelRect> ClearRects(const device::State& state, const device::ClearDraw& clear);

// A rectangle of a bound surface that is filled: the depth surface, or with a colour a target.
struct ClearFill {
  device::SurfaceRef surface;
  image::Area area;  // not empty
  std::optional<image::DepthFill> depth;
  uint32_t argb = 0;
};
// What the flags clear, in order: colour targets, depth and stencil; parts that are not bound are left out. Masks and tests do not matter;
// SRGBWRITEENABLE does. Fills past the end of the budget are left out.
std::vector<ClearFill> FillsOf(const device::State& state, const BoundSurfaces& surfaces,
                               const device::ClearDraw& clear, WorkBudget* work = nullptr);

// Stores them, and returns those that were stored.
std::vector<ClearFill> Clear(const device::State& state, const BoundSurfaces& surfaces,
                             const device::ClearDraw& clear, WorkBudget* work = nullptr);

}  // namespace dp2trace::raster
