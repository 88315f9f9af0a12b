// Size of points. Source: rendering specification, 1.5.
#pragma once

#include "device/state.h"

namespace dp2trace::raster {

// `size` in [POINTSIZE_MIN, min(POINTSIZE_MAX, 256)]; the minimum wins; NaN gives the largest.
float ClampPointSize(const device::State& state, float size);
// POINTSCALE for a point at this distance from the eye.
float ScalePointSize(const device::State& state, float size, float viewport_height, float distance);

}  // namespace dp2trace::raster
