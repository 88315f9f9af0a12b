// The rectangle of pixels that a draw may touch. Source: lib/raster/rendering-geometry.md 1.1.
#pragma once

#include <cstdint>

#include "device/context.h"
#include "device/resource.h"
#include "device/state.h"

namespace dp2trace::raster {

// Right and bottom are exclusive.
struct PixelRect {
  int64_t left = 0, top = 0, right = 0, bottom = 0;
  bool empty() const { return left >= right || top >= bottom; }
  bool Contains(int64_t x, int64_t y) const {
    return x >= left && x < right && y >= top && y < bottom;
  }
  bool operator==(const PixelRect&) const = default;
};

PixelRect Intersect(const PixelRect& a, const PixelRect& b);
// The smallest around both; an empty one counts for nothing.
PixelRect Around(const PixelRect& a, const PixelRect& b);

// What a draw or a clear works on: the surfaces behind the handles.
struct BoundSurfaces {
  std::array<device::SurfaceRef, device::kTargetCount> colors;
  device::SurfaceRef depth;
  bool operator==(const BoundSurfaces&) const = default;
  // Any face or level of the resource is bound.
  bool Contains(const device::Resource& resource) const;
};
BoundSurfaces SurfacesOf(const device::Context& context);

// A FOURCC NULL surface: a target without pixels.
bool IsNullTarget(const device::SurfaceRef& target);
// All pixels of the face and level; empty where nothing is bound.
PixelRect WholeSurface(const device::SurfaceRef& surface);

// The viewport, cut to the scissor rectangle where SCISSORTESTENABLE is set; not yet cut to any surface.
PixelRect ViewportAndScissor(const device::State& state);

// Viewport, scissor, and the surfaces that the draw writes, NULL targets not counted. `uses_depth`: depth or stencil is tested.
PixelRect ClipRectangle(const device::State& state, const BoundSurfaces& surfaces, bool uses_depth);

}  // namespace dp2trace::raster
