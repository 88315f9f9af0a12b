#include "raster/pixel/stage_plan.h"

#include <algorithm>

#include "d3d/legacy_states.h"
#include "raster/pixel/projection.h"

namespace dp2trace::raster {
namespace {

using d3d::TextureOp;
using Tss = d3d::TextureStageState;

// Unspecified: numbers that are no operation; chosen: DISABLE.
TextureOp OpOf(uint32_t value) {
  const bool is_defined =
      value >= d3d::Value(TextureOp::Disable) && value <= d3d::Value(TextureOp::Lerp);
  return is_defined ? static_cast<TextureOp>(value) : TextureOp::Disable;
}

bool IsBump(TextureOp op) {
  return op == TextureOp::BumpEnvMap || op == TextureOp::BumpEnvMapLuminance;
}

Equation ColorEquation(const device::State& state, uint32_t stage) {
  return {OpOf(state.stage(stage, Tss::ColorOp)), ArgumentOf(state.stage(stage, Tss::ColorArg1)),
          ArgumentOf(state.stage(stage, Tss::ColorArg2)),
          ArgumentOf(state.stage(stage, Tss::ColorArg0))};
}

// Bump operations in ALPHAOP mean nothing: the alpha passes, as with DISABLE.
Equation AlphaEquation(const device::State& state, uint32_t stage) {
  Equation equation = {OpOf(state.stage(stage, Tss::AlphaOp)),
                       ArgumentOf(state.stage(stage, Tss::AlphaArg1)),
                       ArgumentOf(state.stage(stage, Tss::AlphaArg2)),
                       ArgumentOf(state.stage(stage, Tss::AlphaArg0))};
  if (IsBump(equation.op)) equation.op = TextureOp::Disable;
  return equation;
}

bool IsEnabled(const device::State& state, uint32_t stage) {
  return stage < d3d::kCombinerStageCount &&
         OpOf(state.stage(stage, Tss::ColorOp)) != TextureOp::Disable;
}

BumpPlan CompileBump(const device::State& state, uint32_t stage, const d3d::FormatInfo& format) {
  BumpPlan bump;
  bump.matrix = {
      state.stage_real(stage, Tss::BumpEnvMat00), state.stage_real(stage, Tss::BumpEnvMat01),
      state.stage_real(stage, Tss::BumpEnvMat10), state.stage_real(stage, Tss::BumpEnvMat11)};
  bump.scales_luminance = OpOf(state.stage(stage, Tss::ColorOp)) == TextureOp::BumpEnvMapLuminance;
  bump.has_luminance = format.FindChannel('L') != nullptr;
  bump.luminance_scale = state.stage_real(stage, Tss::BumpEnvLScale);
  bump.luminance_offset = state.stage_real(stage, Tss::BumpEnvLOffset);
  return bump;
}

// The MASK modes of TEXTUREMAPBLEND are set up as the modes that they mask; they are in force as long as stage 0 still has those
// states.
bool IsMaskedLegacyBlend(const device::Context& context) {
  const uint32_t mode = context.state.value(d3d::RenderState::TextureMapBlend);
  if (mode != d3d::Value(d3d::TextureBlend::DecalMask) &&
      mode != d3d::Value(d3d::TextureBlend::ModulateMask))
    return false;
  const auto is_in_force = [&](bool texture_has_alpha) {
    const d3d::StageWrites writes =
        d3d::LegacyStageWrites(d3d::Value(d3d::RenderState::TextureMapBlend), mode,
                               context.runtime_version, texture_has_alpha);
    return std::ranges::all_of(writes.items(), [&](const d3d::StageWrite& write) {
      return context.state.stage(0, write.state) == write.value;
    });
  };
  return is_in_force(true) || is_in_force(false);
}

// A bump stage needs its texture and that of the next stage, which has to be enabled.
void CompileBumpStage(const device::Context& context, StagePlan& plan) {
  plan.is_bump = true;
  const uint32_t next = plan.stage + 1;
  if (!IsEnabled(context.state, next) || context.Texture(next) == nullptr) return;
  plan.sampler = MakeSampler(context, plan.stage);
  if (plan.sampler) plan.bump = CompileBump(context.state, plan.stage, plan.sampler->format());
}

void CompileColorStage(const device::Context& context, StagePlan& plan) {
  plan.alpha = AlphaEquation(context.state, plan.stage);
  plan.writes_temp =
      context.state.stage(plan.stage, Tss::ResultArg) == d3d::Value(d3d::TextureArg::Temp);
  if (context.Texture(plan.stage) == nullptr) {
    plan.color_passes_current = ReadsTexture(plan.color);
    // Unspecified: a texture that only the alpha operation reads; chosen: only alpha passes CURRENT.
    plan.alpha_passes_current = ReadsTexture(plan.alpha);
    plan.multiplies_color = plan.multiplies_alpha = false;
    return;
  }
  plan.masks_by_alpha = plan.stage == 0 && IsMaskedLegacyBlend(context);
  const bool is_multiplied = plan.multiplies_color || plan.multiplies_alpha;
  // Unspecified: whether a texture that no operation reads can kill by its colour key; chosen: no, it is not sampled.
  if (is_multiplied || ReadsTexture(plan.color) || ReadsTexture(plan.alpha))
    plan.sampler = MakeSampler(context, plan.stage);
}

}  // namespace

std::vector<StagePlan> CompileStages(const device::Context& context, const VertexOutputs& outputs) {
  const device::State& state = context.state;
  std::vector<StagePlan> plans;
  for (uint32_t stage = 0; IsEnabled(state, stage); ++stage) {
    StagePlan plan;
    plan.stage = stage;
    plan.constant = FromColor(state.stage(stage, Tss::Constant));
    plan.divisor = ProjectionDivisor(state.stage(stage, Tss::TextureTransformFlags),
                                     outputs.texcoord_components[stage]);
    plan.color = ColorEquation(state, stage);
    if (stage > 0 && !plans.back().is_bump) {
      plan.multiplies_color = plans.back().color.op == TextureOp::Premodulate;
      plan.multiplies_alpha = plans.back().alpha.op == TextureOp::Premodulate;
    }
    if (IsBump(plan.color.op)) {
      CompileBumpStage(context, plan);
    } else {
      CompileColorStage(context, plan);
    }
    plan.is_signed_texture = plan.sampler && plan.sampler->format().kind == d3d::FormatKind::kBump;
    const bool lacks_texture = ReadsTexture(plan.color) && context.Texture(stage) == nullptr;
    plans.push_back(std::move(plan));
    if (lacks_texture) break;
  }
  return plans;
}

TextureStages MakeTextureStages(const device::Context& context, const VertexOutputs& outputs) {
  return {.stages = CompileStages(context, outputs),
          .varying_mask = outputs.varying_mask,
          .factor = FromColor(context.state.value(d3d::RenderState::TextureFactor)),
          .adds_specular = context.state.value(d3d::RenderState::SpecularEnable) != 0};
}

}  // namespace dp2trace::raster
