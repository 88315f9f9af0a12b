#include "raster/vertex/vertex_fog.h"

namespace dp2trace::raster {

using d3d::RenderState;
using vertex::IsFogEquation;

vertex::FogEquation FogEquationOf(const device::State& state, RenderState mode) {
  return {.mode = state.value(mode),
          .start = state.real(RenderState::FogStart),
          .end = state.real(RenderState::FogEnd),
          .density = state.real(RenderState::FogDensity)};
}

VertexFog::VertexFog(const device::State& state, const device::VertexLayout& layout)
    : equation_(FogEquationOf(state, RenderState::FogVertexMode)),
      is_range_(state.value(RenderState::RangeFogEnable) != 0),
      element_(ElementIndex(layout, d3d::DeclUsage::Fog)) {
  if (state.value(RenderState::FogEnable) == 0 ||
      IsFogEquation(state.value(RenderState::FogTableMode)))
    return;
  if (element_ != kNoElement) {
    source_ = Source::kElement;
  } else if (!layout.is_transformed && IsFogEquation(equation_.mode)) {
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
  return vertex::FogFactor(equation_, vertex::VertexFogDistance(FirstThree(eye), is_range_),
                           vertex::EqualFogLimits::kFullyFogged);
}

}  // namespace dp2trace::raster
