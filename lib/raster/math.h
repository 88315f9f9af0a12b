// Arithmetic of determinism profile D1: the vectors of vertex/, and conversions to integers that give the same bits everywhere.
// Source: lib/raster/rendering.md 0.1 and 0.3.
#pragma once

#include <cmath>
#include <cstdint>

#include "vertex/math.h"

namespace dp2trace::raster {

using vertex::Dot;
using vertex::Dot3;
using vertex::Dot4;
using vertex::FirstThree;
using vertex::Float3;
using vertex::Float4;
using vertex::FromColor;
using vertex::Matrix3;
using vertex::Max;
using vertex::Min;
using vertex::Normalize;
using vertex::Saturate;
using vertex::Transform;

// floor, as an integer that fits; NaN gives 0, values beyond +-2^62 are clamped (rule 6).
inline int64_t FloorToInt(double x) {
  constexpr double kLimit = 4611686018427387904.0;
  if (!(x > -kLimit)) return x < 0 ? -(int64_t{1} << 62) : 0;
  if (x > kLimit) return int64_t{1} << 62;
  return static_cast<int64_t>(std::floor(x));
}
// rn of lib/raster/rendering.md 0.3: floor(x + 0.5).
inline int64_t RoundToInt(double x) {
  return FloorToInt(x + 0.5);
}

}  // namespace dp2trace::raster
