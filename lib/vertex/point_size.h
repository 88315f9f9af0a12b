// Size of points. Source: lib/raster/rendering-geometry.md 1.5.
#pragma once

#include "vertex/math.h"

namespace dp2trace::vertex {

inline constexpr float kMaxPointSize = 256;

struct PointScale {
  float a = 1, b = 0, c = 0;  // POINTSCALE_A, _B and _C
};

// `size` in [least, min(greatest, kMaxPointSize)]; the least wins; NaN gives the largest.
float ClampPointSize(float size, float least, float greatest);
// POINTSCALE for a point at this distance from the eye.
float ScalePointSize(const PointScale& scale, float size, float viewport_height, float distance);

}  // namespace dp2trace::vertex
