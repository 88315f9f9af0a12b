#include "vertex/fog.h"

#include <cmath>

#include "base/transcendental.h"
#include "d3d/enums.h"

namespace dp2trace::vertex {
namespace {

using d3d::FogMode;

// e^-x in binary64, rounded once. Source: lib/raster/rendering.md 0.4.
float ExpMinus(float x) {
  constexpr double kMinusLog2E = -1.4426950408889634;
  return Exp2D(double{x} * kMinusLog2E);
}

}  // namespace

bool IsFogEquation(uint32_t mode) {
  return mode >= d3d::Value(FogMode::Exp) && mode <= d3d::Value(FogMode::Linear);
}

float FogFactor(const FogEquation& fog, float distance, EqualFogLimits equal) {
  if (fog.mode == d3d::Value(FogMode::Linear)) {
    if (fog.start == fog.end)
      return equal == EqualFogLimits::kStep && distance < fog.start ? 1.0F : 0.0F;
    return Saturate((fog.end - distance) / (fog.end - fog.start));
  }
  const float a = fog.density * distance;
  return Saturate(ExpMinus(fog.mode == d3d::Value(FogMode::Exp2) ? a * a : a));
}

float VertexFogDistance(const Float3& eye, bool is_range) {
  return is_range ? std::sqrt(Dot(eye, eye)) : std::fabs(eye[2]);
}

}  // namespace dp2trace::vertex
