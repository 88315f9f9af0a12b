#include "raster/vertex/point_size.h"

#include <cmath>

#include "raster/math.h"

namespace dp2trace::raster {

using d3d::RenderState;

float ClampPointSize(const device::State& state, float size) {
  constexpr float kMaxPointSize = 256;
  const float largest = Min(state.real(RenderState::PointSizeMax), kMaxPointSize);
  return Max(state.real(RenderState::PointSizeMin), Min(size, largest));
}

float ScalePointSize(const device::State& state, float size, float viewport_height,
                     float distance) {
  const float a = state.real(RenderState::PointScaleA);
  const float b = state.real(RenderState::PointScaleB);
  const float c = state.real(RenderState::PointScaleC);
  return viewport_height * size * std::sqrt(1.0F / (a + b * distance + c * distance * distance));
}

}  // namespace dp2trace::raster
