#include "raster/pixel/fog.h"

#include "raster/vertex/vertex_fog.h"

namespace dp2trace::raster {

using d3d::RenderState;

FogPlan MakeFogPlan(const device::State& state, const VertexOutputs& outputs, bool are_triangles) {
  FogPlan plan;
  if (state.value(RenderState::FogEnable) == 0) return plan;
  plan.table = FogEquationOf(state, RenderState::FogTableMode);
  plan.color = FromColor(state.value(RenderState::FogColor));
  // Unspecified: a table mode without meaning; chosen: NONE.
  if (!vertex::IsFogEquation(plan.table.mode)) {
    plan.source = FogSource::kFactor;
    plan.factor = outputs.fog_factor;
  } else {
    plan.source = outputs.table_fog_uses_w ? FogSource::kW : FogSource::kZ;
    // Unspecified: the slope-scaled part; chosen: fog does not see it.
    if (plan.source == FogSource::kZ && are_triangles)
      plan.depth_bias = state.real(RenderState::DepthBias);
  }
  return plan;
}

float FogValue(const FogPlan& plan, float interpolated) {
  return plan.depth_bias != 0 ? interpolated + plan.depth_bias : interpolated;
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
  return vertex::FogFactor(plan.table, value, vertex::EqualFogLimits::kStep);
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
