// The range that the state allows for the size of points. Source: lib/raster/rendering-geometry.md 1.5.
#pragma once

#include "d3d/vendor_codes.h"
#include "device/state.h"
#include "vertex/point_size.h"

namespace dp2trace::raster {

inline float ClampPointSize(const device::State& state, float size) {
  return vertex::ClampPointSize(size, state.real(d3d::RenderState::PointSizeMin),
                                state.real(d3d::RenderState::PointSizeMax));
}

// POINTSIZE. Unspecified: while it holds the code of a vendor; chosen: its default.
inline float PointSizeOf(const device::State& state) {
  const uint32_t value = state.value(d3d::RenderState::PointSize);
  for (const d3d::VendorCode& code : d3d::kVendorCodes) {
    if (code.state == d3d::Value(d3d::RenderState::PointSize) && code.Is(value)) return 1.0F;
  }
  return state.real(d3d::RenderState::PointSize);
}

}  // namespace dp2trace::raster
