#include "raster/pixel/output_state.h"

#include "d3d/vendor_codes.h"
#include "raster/pixel/compare.h"

namespace dp2trace::raster {
namespace {

using d3d::RenderState;

AlphaTestPlan MakeAlphaTest(const device::State& state) {
  return {.is_enabled = state.value(RenderState::AlphaTestEnable) != 0,
          .function = state.value(RenderState::AlphaFunc),
          .reference = state.value(RenderState::AlphaRef) & 0xFFU};
}

StipplePlan MakeStipple(const device::State& state) {
  StipplePlan plan;
  plan.has_pattern = state.value(RenderState::StippleEnable) != 0;
  plan.uses_alpha = state.value(RenderState::StippledAlpha) != 0;
  for (uint32_t row = 0; row < 32; ++row) {
    plan.pattern[row] = state.render[d3d::Value(RenderState::StipplePattern00) + row];
  }
  return plan;
}

// Unspecified: surfaces of different sample counts; chosen: the first target with pixels decides, then the depth buffer.
uint32_t SampleCountOf(const BoundSurfaces& surfaces) {
  for (const device::SurfaceRef& target : surfaces.colors) {
    if (target && !IsNullTarget(target)) return target.surface().description().samples;
  }
  return surfaces.depth ? surfaces.depth.surface().description().samples : 1;
}

}  // namespace

OutputState MakeOutputState(const device::State& state, const BoundSurfaces& surfaces,
                            const VertexOutputs& outputs, bool are_triangles) {
  OutputState output;
  output.depth_stencil = MakeDepthStencilPlan(state, surfaces.depth);
  output.clip = ClipRectangle(state, surfaces, output.depth_stencil.is_used());
  output.sample_count = SampleCountOf(surfaces);
  if (output.sample_count > 1) {
    output.sample_mask = state.value(RenderState::MultisampleMask);
    output.covers_by_alpha = state.value(RenderState::AdaptiveTessY) == d3d::kAtocCode ||
                             state.value(RenderState::PointSize) == d3d::kA2m1Code;
  }
  output.alpha_test = MakeAlphaTest(state);
  output.stipple = MakeStipple(state);
  output.fog = MakeFogPlan(state, outputs, are_triangles);
  BlendPlan blend = MakeBlendPlan(state);
  if (output.stipple.uses_alpha) blend.is_enabled = false;  // 5.10
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    const device::SurfaceRef& target = surfaces.colors[slot];
    if (!TargetWriter::CanWrite(target)) continue;
    output.targets.emplace_back(state, blend, target, slot);
  }
  return output;
}

uint32_t SamplesOfAlpha(float alpha, uint32_t sample_count) {
  const auto count =
      static_cast<uint32_t>(Saturate(alpha) * static_cast<float>(sample_count) + 0.5F);
  return (1U << count) - 1;
}

uint32_t TestedAlpha(float alpha) {
  return static_cast<uint32_t>(Saturate(alpha) * 255.0F + 0.5F);
}

bool PassesAlphaTest(const AlphaTestPlan& plan, float alpha) {
  if (!plan.is_enabled) return true;
  return Compare(plan.function, TestedAlpha(alpha), plan.reference);
}

bool PassesStipple(const StipplePlan& plan, uint32_t x, uint32_t y, float alpha) {
  if (plan.has_pattern && (plan.pattern[y & 31U] >> (31 - (x & 31U)) & 1U) == 0) return false;
  if (!plan.uses_alpha) return true;
  return static_cast<uint32_t>(Saturate(alpha) * 16.0F + 0.5F) > BayerThreshold(x, y);
}

}  // namespace dp2trace::raster
