#include "raster/pixel/blend.h"

namespace dp2trace::raster {
namespace {

using d3d::BlendFactor;
using d3d::BlendOp;
using d3d::RenderState;

struct BlendInputs {
  const Float4& source;
  const Float4& second;
  const Float4& destination;
  const Float4& constant;
};

constexpr Float4 All(float x) {
  return {x, x, x, x};
}

constexpr Float4 OneMinus(const Float4& v) {
  return {1.0F - v[0], 1.0F - v[1], 1.0F - v[2], 1.0F - v[3]};
}

Float4 Factor(BlendFactor factor, const BlendInputs& in) {
  switch (factor) {
    case BlendFactor::Zero:
      return All(0);
    case BlendFactor::One:
      return All(1);
    case BlendFactor::SrcColor:
      return in.source;
    case BlendFactor::InvSrcColor:
      return OneMinus(in.source);
    case BlendFactor::SrcAlpha:
    case BlendFactor::BothSrcAlpha:
      return All(in.source[3]);
    case BlendFactor::InvSrcAlpha:
    case BlendFactor::BothInvSrcAlpha:
      return All(1.0F - in.source[3]);
    case BlendFactor::DestAlpha:
      return All(in.destination[3]);
    case BlendFactor::InvDestAlpha:
      return All(1.0F - in.destination[3]);
    case BlendFactor::DestColor:
      return in.destination;
    case BlendFactor::InvDestColor:
      return OneMinus(in.destination);
    case BlendFactor::SrcAlphaSat: {
      const float f = Min(in.source[3], 1.0F - in.destination[3]);
      return {f, f, f, 1.0F};
    }
    case BlendFactor::BlendFactor:
      return in.constant;
    case BlendFactor::InvBlendFactor:
      return OneMinus(in.constant);
    case BlendFactor::SrcColor2:
      return in.second;
    case BlendFactor::InvSrcColor2:
      return OneMinus(in.second);
  }
  return All(0);
}

float Combine(BlendOp operation, float source, float source_factor, float destination,
              float destination_factor) {
  switch (operation) {
    case BlendOp::Add:
      break;
    case BlendOp::Subtract:
      return source * source_factor - destination * destination_factor;
    case BlendOp::RevSubtract:
      return destination * destination_factor - source * source_factor;
    case BlendOp::Min:
      return Min(source, destination);
    case BlendOp::Max:
      return Max(source, destination);
  }
  return source * source_factor + destination * destination_factor;
}

// BOTH* of the source name both factors. Unspecified: numbers without meaning; chosen: ONE, ZERO and ADD, the defaults.
BlendEquation MakeEquation(uint32_t source, uint32_t destination, uint32_t operation) {
  BlendEquation equation;
  constexpr uint32_t kLastFactor = d3d::Value(BlendFactor::InvSrcColor2);
  constexpr uint32_t kLastOp = d3d::Value(BlendOp::Max);
  if (source != 0 && source <= kLastFactor) equation.source = static_cast<BlendFactor>(source);
  if (destination != 0 && destination <= kLastFactor) {
    equation.destination = static_cast<BlendFactor>(destination);
  }
  if (operation != 0 && operation <= kLastOp) equation.operation = static_cast<BlendOp>(operation);
  if (equation.source == BlendFactor::BothSrcAlpha) {
    equation.destination = BlendFactor::InvSrcAlpha;
  } else if (equation.source == BlendFactor::BothInvSrcAlpha) {
    equation.destination = BlendFactor::SrcAlpha;
  }
  return equation;
}

}  // namespace

BlendPlan MakeBlendPlan(const device::State& state) {
  BlendPlan plan;
  plan.is_enabled = state.value(RenderState::AlphaBlendEnable) != 0;
  plan.rgb = MakeEquation(state.value(RenderState::SrcBlend), state.value(RenderState::DestBlend),
                          state.value(RenderState::BlendOp));
  plan.alpha = plan.rgb;
  if (state.value(RenderState::SeparateAlphaBlendEnable) != 0) {
    plan.alpha = MakeEquation(state.value(RenderState::SrcBlendAlpha),
                              state.value(RenderState::DestBlendAlpha),
                              state.value(RenderState::BlendOpAlpha));
  }
  plan.factor = FromColor(state.value(RenderState::BlendFactor));
  return plan;
}

Float4 Blend(const BlendPlan& plan, const Float4& source, const Float4& second,
             const Float4& destination) {
  const BlendInputs in = {source, second, destination, plan.factor};
  const Float4 source_rgb = Factor(plan.rgb.source, in);
  const Float4 destination_rgb = Factor(plan.rgb.destination, in);
  Float4 result = {};
  for (size_t i = 0; i < 3; ++i) {
    result[i] =
        Combine(plan.rgb.operation, source[i], source_rgb[i], destination[i], destination_rgb[i]);
  }
  result[3] = Combine(plan.alpha.operation, source[3], Factor(plan.alpha.source, in)[3],
                      destination[3], Factor(plan.alpha.destination, in)[3]);
  return result;
}

}  // namespace dp2trace::raster
