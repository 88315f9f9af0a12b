// The texture stages at work on a quad. Source: lib/raster/rendering-texture.md 4.
#include <utility>

#include "raster/pixel/projection.h"
#include "raster/pixel/quad.h"
#include "raster/pixel/stage_plan.h"
#include "raster/probe/fragment.h"

namespace dp2trace::raster {
namespace {

using LaneRegisters = std::array<StageRegisters, kLaneCount>;

// What a bump stage does to the stage after it.
struct Perturbation {
  const BumpPlan* plan = nullptr;  // null: nothing
  Float4Quad texture = {};         // Du, Dv, L
};

// u' = u + M00*Du + M10*Dv, v' = v + M01*Du + M11*Dv.
void PerturbCoordinates(const Perturbation& bump, Float4Quad& coordinates) {
  if (bump.plan == nullptr) return;
  const auto& [m00, m01, m10, m11] = bump.plan->matrix;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const float du = bump.texture[lane][0];
    const float dv = bump.texture[lane][1];
    coordinates[lane][0] = coordinates[lane][0] + m00 * du + m10 * dv;
    coordinates[lane][1] = coordinates[lane][1] + m01 * du + m11 * dv;
  }
}

// R, G, B of BUMPENVMAPLUMINANCE's next stage; alpha is not scaled.
void ScaleLuminance(const Perturbation& bump, Float4Quad& texture) {
  if (bump.plan == nullptr || !bump.plan->scales_luminance) return;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const float luminance = bump.plan->has_luminance ? bump.texture[lane][2] : 1.0F;
    const float factor =
        Saturate(luminance * bump.plan->luminance_scale + bump.plan->luminance_offset);
    for (size_t i = 0; i < 3; ++i) {
      texture[lane][i] *= factor;
    }
  }
}

// CURRENT times the texture, ordered by the PREMODULATE of the stage before.
void MultiplyCurrent(const StagePlan& stage, StageRegisters& registers) {
  if (stage.multiplies_color) {
    for (size_t i = 0; i < 3; ++i) {
      registers.current[i] = Saturate(registers.current[i] * registers.texture[i]);
    }
  }
  if (stage.multiplies_alpha)
    registers.current[3] = Saturate(registers.current[3] * registers.texture[3]);
}

Float4 CombineStage(const StagePlan& stage, const StageRegisters& registers) {
  if (stage.color_passes_current) return registers.current;
  Float4 result = CombineColor(stage.color, registers);
  if (stage.color.op == d3d::TextureOp::DotProduct3) return result;  // ALPHAOP is ignored
  const bool passes_alpha = stage.alpha_passes_current || stage.alpha.op == d3d::TextureOp::Disable;
  result[3] = passes_alpha ? registers.current[3] : CombineAlpha(stage.alpha, registers);
  return result;
}

void KeepStage(const StagePlan& stage, const StageRegisters& registers, const Float4& result,
               ProbedShading& probe) {
  if (!probe.Spend()) return;
  probe.stages.push_back({.stage = stage.stage,
                          .is_bump = stage.is_bump,
                          .color = stage.color,
                          .alpha = stage.alpha,
                          .color_passes = stage.color_passes_current,
                          .alpha_passes = stage.alpha_passes_current,
                          .registers = registers,
                          .writes_temp = stage.writes_temp,
                          .result = result});
}

void KeepBump(const StagePlan& stage, StageRegisters registers, const Float4Quad& texture,
              ProbedShading& probe) {
  registers.texture = texture[probe.lane];
  KeepStage(stage, registers, registers.current, probe);
}

class FixedFunctionStages final : public PixelProgram {
 public:
  explicit FixedFunctionStages(std::shared_ptr<const TextureStages> plan) : plan_(std::move(plan)) {
    for (const StagePlan& stage : plan_->stages) {
      may_kill_ = may_kill_ || (stage.sampler && stage.sampler->may_kill());
    }
  }

  void Shade(const Quad& quad, QuadColors& out) const override;
  bool may_kill() const override { return may_kill_; }

 private:
  Float4Quad Varying(const Quad& quad, uint32_t slot, const Float4& absent) const;
  LaneRegisters InitialRegisters(const Quad& quad) const;
  // The texels of a stage, and the lanes that the MASK modes leave alone.
  Float4Quad SampleStage(const Quad& quad, const StagePlan& stage, const Perturbation& bump,
                         QuadColors& out, uint32_t& unmasked) const;
  Float4Quad Finish(const LaneRegisters& registers) const;

  std::shared_ptr<const TextureStages> plan_;
  bool may_kill_ = false;
};

Float4Quad FixedFunctionStages::Varying(const Quad& quad, uint32_t slot,
                                        const Float4& absent) const {
  if ((plan_->varying_mask >> slot & 1) != 0) return quad.varyings[slot];
  return {absent, absent, absent, absent};
}

// Diffuse is white and specular 0 where the vertices have none. Interpolated colours are clamped.
LaneRegisters FixedFunctionStages::InitialRegisters(const Quad& quad) const {
  const Float4Quad diffuse = Varying(quad, kDiffuseSlot, {1, 1, 1, 1});
  const Float4Quad specular = Varying(quad, kSpecularSlot, {0, 0, 0, 0});
  LaneRegisters registers;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    registers[lane].diffuse = Saturate(diffuse[lane]);
    registers[lane].specular = Saturate(specular[lane]);
    registers[lane].current = registers[lane].diffuse;
    registers[lane].factor = plan_->factor;
  }
  return registers;
}

Float4Quad FixedFunctionStages::SampleStage(const Quad& quad, const StagePlan& stage,
                                            const Perturbation& bump, QuadColors& out,
                                            uint32_t& unmasked) const {
  if (!stage.sampler) return {};
  Float4Quad coordinates = Varying(quad, kTexcoordSlot + stage.stage, {0, 0, 0, 1});
  DivideCoordinates(coordinates, stage.divisor);
  PerturbCoordinates(bump, coordinates);
  Float4Quad texture = stage.sampler->Sample(coordinates, {}, out.killed, out.probe, stage.stage);
  ScaleLuminance(bump, texture);
  if (stage.masks_by_alpha) unmasked = stage.sampler->AlphaBits(coordinates, {});
  return texture;
}

// The specular add.
Float4Quad FixedFunctionStages::Finish(const LaneRegisters& registers) const {
  Float4Quad colors = {};
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    colors[lane] = registers[lane].current;
    for (size_t i = 0; plan_->adds_specular && i < 3; ++i) {
      colors[lane][i] = Saturate(colors[lane][i] + registers[lane].specular[i]);
    }
  }
  return colors;
}

void FixedFunctionStages::Shade(const Quad& quad, QuadColors& out) const {
  LaneRegisters registers = InitialRegisters(quad);
  Perturbation bump;
  out.written_targets = 1;
  out.killed = 0;
  out.writes_depth = false;
  for (const StagePlan& stage : plan_->stages) {
    uint32_t unmasked = 0;
    const Float4Quad texture = SampleStage(quad, stage, bump, out, unmasked);
    bump = {};
    if (stage.is_bump) {  // writes nothing
      if (out.probe != nullptr) KeepBump(stage, registers[out.probe->lane], texture, *out.probe);
      if (stage.bump) bump = {&*stage.bump, texture};
      continue;
    }
    for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
      StageRegisters& lane_registers = registers[lane];
      lane_registers.texture = stage.is_signed_texture ? texture[lane] : Saturate(texture[lane]);
      lane_registers.constant = stage.constant;
      MultiplyCurrent(stage, lane_registers);
      Float4 result = CombineStage(stage, lane_registers);
      if (stage.masks_by_alpha && (unmasked >> lane & 1) == 0) result = lane_registers.diffuse;
      if (stage.masks_by_alpha) result[3] = lane_registers.diffuse[3];
      if (out.probe != nullptr && out.probe->lane == lane)
        KeepStage(stage, lane_registers, result, *out.probe);
      (stage.writes_temp ? lane_registers.temp : lane_registers.current) = result;
    }
  }
  out.colors[0] = Finish(registers);
}

}  // namespace

std::unique_ptr<PixelProgram> MakeFixedFunctionStages(std::shared_ptr<const TextureStages> stages) {
  return std::make_unique<FixedFunctionStages>(std::move(stages));
}

std::unique_ptr<PixelProgram> MakeFixedFunctionStages(const device::Context& context,
                                                      const VertexOutputs& outputs) {
  return MakeFixedFunctionStages(
      std::make_shared<const TextureStages>(MakeTextureStages(context, outputs)));
}

}  // namespace dp2trace::raster
