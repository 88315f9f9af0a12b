#include "raster/vertex/fog_factor.h"

#include <cmath>

#include "base/transcendental.h"

namespace dp2trace::raster {
namespace {

using d3d::FogMode;
using d3d::RenderState;

constexpr double kMinusLog2E = -1.4426950408889634;

bool IsEquation(uint32_t mode) {
  return mode >= d3d::Value(FogMode::Exp) && mode <= d3d::Value(FogMode::Linear);
}

float LinearFactor(float start, float end, float distance) {
  return start == end ? 0.0F : (end - distance) / (end - start);
}

}  // namespace

bool TableFogUsesW(const device::State& state, bool is_projected) {
  const device::Matrix& projection = state.transform(d3d::TransformState::Projection);
  const bool is_affine =
      projection[3] == 0 && projection[7] == 0 && projection[11] == 0 && projection[15] == 1;
  if (!is_affine) return true;
  if (is_projected || projection != device::kIdentity) return false;
  // Unspecified: streams without a projection; chosen (by the specification): WINFO, where it is not the default.
  return state.w_near != state.w_far && !(state.w_near == 0 && state.w_far == 1);
}

float FogFactor(const device::State& state, uint32_t mode, float distance) {
  if (mode == d3d::Value(FogMode::Linear)) {
    return Saturate(
        LinearFactor(state.real(RenderState::FogStart), state.real(RenderState::FogEnd), distance));
  }
  const float a = state.real(RenderState::FogDensity) * distance;
  const float exponent = mode == d3d::Value(FogMode::Exp2) ? a * a : a;
  return Saturate(Exp2D(double{exponent} * kMinusLog2E));
}

VertexFog::VertexFog(const device::State& state, const device::VertexLayout& layout)
    : state_(&state), element_(ElementIndex(layout, d3d::DeclUsage::Fog)) {
  if (state.value(RenderState::FogEnable) == 0 ||
      IsEquation(state.value(RenderState::FogTableMode)))
    return;
  if (element_ != kNoElement) {
    source_ = Source::kElement;
  } else if (!layout.is_transformed && IsEquation(state.value(RenderState::FogVertexMode))) {
    source_ = Source::kEquation;
  } else {
    source_ = Source::kSpecularAlpha;
  }
}

float VertexFog::Factor(const VertexInput& input, const Float4& eye, float specular_alpha) const {
  switch (source_) {
    case Source::kNone:
      return 1;
    case Source::kElement:
      return input.values[element_][0];  // clamped per pixel
    case Source::kSpecularAlpha:
      return specular_alpha;
    case Source::kEquation:
      break;
  }
  const bool is_range = state_->value(RenderState::RangeFogEnable) != 0;
  const float distance = is_range ? std::sqrt(Dot3(eye.data(), eye.data())) : std::fabs(eye[2]);
  return FogFactor(*state_, state_->value(RenderState::FogVertexMode), distance);
}

}  // namespace dp2trace::raster
