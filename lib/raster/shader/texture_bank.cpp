#include "raster/shader/texture_bank.h"

#include "raster/pixel/projection.h"
#include "raster/probe/fragment.h"

namespace dp2trace::raster {
namespace {

using shader::Op;
using shader::OpKind;
using Tss = d3d::TextureStageState;

constexpr uint32_t kVertexSamplerCount = 4;
// Slots of vertex textures follow the displacement map. Source: lib/raster/rendering-shaders.md 8.9.
constexpr uint32_t kFirstVertexSlot = d3d::kPixelSamplerCount + 1;

// Samplers are stages in version 1.
uint32_t SamplerNumber(const shader::Program& program, const shader::Instruction& instruction) {
  return program.version.major >= 2 ? instruction.sources[1].number
                                    : instruction.destination.number;
}

StageBump BumpOf(const device::State& state, uint32_t stage) {
  return {.m00 = state.stage_real(stage, Tss::BumpEnvMat00),
          .m01 = state.stage_real(stage, Tss::BumpEnvMat01),
          .m10 = state.stage_real(stage, Tss::BumpEnvMat10),
          .m11 = state.stage_real(stage, Tss::BumpEnvMat11),
          .luminance_scale = state.stage_real(stage, Tss::BumpEnvLScale),
          .luminance_offset = state.stage_real(stage, Tss::BumpEnvLOffset)};
}

}  // namespace

TextureBank::TextureBank(const device::Context& context, const shader::Program& program,
                         const VertexOutputs* outputs) {
  const uint32_t count = program.version.is_pixel ? d3d::kPixelSamplerCount : kVertexSamplerCount;
  for (const shader::Instruction& instruction : program.instructions) {
    if (instruction.info->kind != OpKind::kTexture || instruction.op() == Op::TexKill) continue;
    const uint32_t number = SamplerNumber(program, instruction);
    if (number >= count || samplers_[number]) continue;
    samplers_[number] =
        MakeSampler(context, program.version.is_pixel ? number : kFirstVertexSlot + number);
    may_kill_ = may_kill_ || (samplers_[number] && samplers_[number]->may_kill());
  }
  for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
    bumps_[stage] = BumpOf(context.state, stage);
    if (outputs == nullptr) continue;
    const uint32_t flags = context.state.stage(stage, Tss::TextureTransformFlags);
    divisors_[stage] = ProjectionDivisor(flags, outputs->texcoord_components[stage]);
  }
}

Float4Quad TextureBank::Sample(uint32_t number, const Float4Quad& coordinates,
                               const LodRequest& lod, uint32_t lanes, uint32_t& killed,
                               ProbedShading* probe) const {
  constexpr Float4 kUnbound = {0, 0, 0, 1};
  if (number >= samplers_.size() || !samplers_[number]) {
    if (probe != nullptr && probe->Spend()) {
      ProbedSample& sample = probe->samples.emplace_back();
      sample.sampler = number;
      sample.coordinates = coordinates[probe->lane];
      sample.color = kUnbound;
    }
    return {kUnbound, kUnbound, kUnbound, kUnbound};
  }
  uint32_t matched = 0;
  const Float4Quad colors = samplers_[number]->Sample(coordinates, lod, matched, probe, number);
  killed |= matched & lanes;
  return colors;
}

void TextureBank::Project(uint32_t stage, Float4Quad& coordinates) const {
  if (stage < divisors_.size()) DivideCoordinates(coordinates, divisors_[stage]);
}

const StageBump& TextureBank::bump(uint32_t stage) const {
  static constexpr StageBump kNone;
  return stage < bumps_.size() ? bumps_[stage] : kNone;
}

}  // namespace dp2trace::raster
