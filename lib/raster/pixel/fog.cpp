#include "raster/pixel/fog.h"

#include "base/transcendental.h"
#include "d3d/enums.h"

namespace dp2trace::raster {
namespace {

using d3d::FogMode;
using d3d::RenderState;

// e^-x in binary64, rounded once. Source: rendering specification, 0.4.
float ExpMinus(float x) {
  constexpr double kMinusLog2E = -1.4426950408889634;
  return Exp2D(double{x} * kMinusLog2E);
}

float TableFactor(const FogPlan& plan, float distance) {
  switch (static_cast<FogMode>(plan.mode)) {
    case FogMode::Exp:
      return Saturate(ExpMinus(plan.density * distance));
    case FogMode::Exp2: {
      const float scaled = plan.density * distance;
      return Saturate(ExpMinus(scaled * scaled));
    }
    case FogMode::Linear:
      if (plan.start == plan.end) return distance < plan.start ? 1.0F : 0.0F;
      return Saturate((plan.end - distance) / (plan.end - plan.start));
    case FogMode::None:
      break;
  }
  return 1.0F;
}

}  // namespace

FogPlan MakeFogPlan(const device::State& state, const VertexOutputs& outputs) {
  FogPlan plan;
  if (state.value(RenderState::FogEnable) == 0) return plan;
  plan.mode = state.value(RenderState::FogTableMode);
  plan.start = state.real(RenderState::FogStart);
  plan.end = state.real(RenderState::FogEnd);
  plan.density = state.real(RenderState::FogDensity);
  plan.color = FromColor(state.value(RenderState::FogColor));
  // Unspecified: a table mode without meaning; chosen: NONE.
  if (plan.mode == d3d::Value(FogMode::None) || plan.mode > d3d::Value(FogMode::Linear)) {
    plan.source = FogSource::kFactor;
  } else {
    plan.source = outputs.table_fog_uses_w ? FogSource::kW : FogSource::kZ;
  }
  return plan;
}

float FogFactor(const FogPlan& plan, float value) {
  switch (plan.source) {
    case FogSource::kNone:
      return 1.0F;
    case FogSource::kFactor:
      return Saturate(value);
    case FogSource::kZ:
    case FogSource::kW:
      break;
  }
  return TableFactor(plan, value);
}

Float4 ApplyFog(const FogPlan& plan, float factor, const Float4& color) {
  Float4 result = color;
  const float rest = 1.0F - factor;
  for (size_t i = 0; i < 3; ++i) {
    result[i] = factor * color[i] + rest * plan.color[i];
  }
  return result;
}

}  // namespace dp2trace::raster
