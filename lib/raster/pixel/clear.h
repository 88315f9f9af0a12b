// The CLEAR token. Source: rendering specification, 7.3; DP2 specification, 14.2.
#pragma once

#include "device/draw.h"
#include "raster/pixel/clip_rectangle.h"
#include "raster/work_budget.h"

namespace dp2trace::raster {

// Clears the rectangles in all colour targets, depth and stencil, as the flags say; parts that are not bound are left out.
// Masks and tests do not matter; SRGBWRITEENABLE does. Rectangles behind the end of the budget are left out.
void Clear(const device::State& state, const BoundSurfaces& surfaces,
           const device::ClearDraw& clear, WorkBudget* work = nullptr);

}  // namespace dp2trace::raster
