// The range that the state allows for the size of points. Source: rendering specification, 1.5.
#pragma once

#include "device/state.h"
#include "vertex/point_size.h"

namespace dp2trace::raster {

inline float ClampPointSize(const device::State& state, float size) {
  return vertex::ClampPointSize(size, state.real(d3d::RenderState::PointSizeMin),
                                state.real(d3d::RenderState::PointSizeMax));
}

}  // namespace dp2trace::raster
