#include "validate/dp2/stage_use.h"

#include <algorithm>

#include "shader/decoder.h"

namespace dp2trace::validate {
namespace {

using d3d::TextureArg;
using d3d::TextureOp;
using d3d::TextureStageState;
using device::Context;
using device::State;

// ---------- pixel shaders ----------

// Instructions of versions 1.x that sample the texture with the number of their destination.
bool SamplesDestination(const shader::Instruction& instruction) {
  switch (instruction.op()) {
    case shader::Op::Tex:
    case shader::Op::TexBem:
    case shader::Op::TexBemL:
    case shader::Op::TexReg2Ar:
    case shader::Op::TexReg2Gb:
    case shader::Op::TexReg2Rgb:
    case shader::Op::TexM3x2Tex:
    case shader::Op::TexM3x3Tex:
    case shader::Op::TexM3x3Spec:
    case shader::Op::TexM3x3VSpec:
    case shader::Op::TexDp3Tex:
      return true;
    default:
      return false;
  }
}

uint32_t MaskOf(const shader::Instruction& instruction, shader::Version version) {
  const auto bit = [](uint32_t number) {
    return number < d3d::kPixelSamplerCount ? 1U << number : 0U;
  };
  if (version.major < 2)
    return SamplesDestination(instruction) ? bit(instruction.destination.number) : 0;
  uint32_t mask = 0;
  for (uint32_t i = 0; i < instruction.source_count; ++i) {
    const shader::Source& source = instruction.sources[i];
    if (source.type == shader::RegisterType::kSampler) mask |= bit(source.number);
  }
  return mask;
}

uint32_t MaskOf(Bytes code) {
  DiagnosticList findings;  // reported where the shader was created
  const shader::Program program = shader::Decode(code, findings);
  uint32_t mask = 0;
  for (const shader::Instruction& instruction : program.instructions)
    mask |= MaskOf(instruction, program.version);
  return mask;
}

// ---------- the cascade ----------

bool Selects(uint32_t argument, TextureArg what) {
  return (argument & d3d::kTextureArgSelectMask) == d3d::Value(what);
}

struct Equation {
  TextureOp op;
  uint32_t argument1, argument2, argument0;
};

// True where the operation reads it beside its arguments.
bool ReadsByItself(TextureOp op, TextureArg what) {
  switch (op) {
    case TextureOp::BlendTextureAlpha:
    case TextureOp::BlendTextureAlphaPm:
    case TextureOp::BumpEnvMap:
    case TextureOp::BumpEnvMapLuminance:
      return what == TextureArg::Texture;
    case TextureOp::BlendDiffuseAlpha:
      return what == TextureArg::Diffuse;
    case TextureOp::BlendFactorAlpha:
      return what == TextureArg::TFactor;
    case TextureOp::BlendCurrentAlpha:
      return what == TextureArg::Current;
    default:
      return false;
  }
}

bool Reads(const Equation& equation, TextureArg what) {
  if (ReadsByItself(equation.op, what)) return true;
  switch (equation.op) {
    case TextureOp::Disable:
      return false;
    case TextureOp::SelectArg1:
    case TextureOp::Premodulate:
      return Selects(equation.argument1, what);
    case TextureOp::SelectArg2:
      return Selects(equation.argument2, what);
    case TextureOp::MultiplyAdd:
    case TextureOp::Lerp:
      return Selects(equation.argument1, what) || Selects(equation.argument2, what) ||
             Selects(equation.argument0, what);
    default:
      return Selects(equation.argument1, what) || Selects(equation.argument2, what);
  }
}

Equation ColorOf(const State& state, uint32_t stage) {
  const auto value = [&](TextureStageState number) { return state.stage(stage, number); };
  return {static_cast<TextureOp>(value(TextureStageState::ColorOp)),
          value(TextureStageState::ColorArg1), value(TextureStageState::ColorArg2),
          value(TextureStageState::ColorArg0)};
}

Equation AlphaOf(const State& state, uint32_t stage) {
  const auto value = [&](TextureStageState number) { return state.stage(stage, number); };
  return {static_cast<TextureOp>(value(TextureStageState::AlphaOp)),
          value(TextureStageState::AlphaArg1), value(TextureStageState::AlphaArg2),
          value(TextureStageState::AlphaArg0)};
}

bool ColorReadsTexture(const State& state, uint32_t stage) {
  return Reads(ColorOf(state, stage), TextureArg::Texture);
}

bool IsEnabled(const State& state, uint32_t stage) {
  return stage < d3d::kCombinerStageCount &&
         state.stage(stage, TextureStageState::ColorOp) != d3d::Value(TextureOp::Disable);
}

// The stages before the first one that is off, or whose COLOROP reads a texture that is not bound.
uint32_t CascadeLength(const Context& context) {
  uint32_t stages = 0;
  while (IsEnabled(context.state, stages) &&
         (!ColorReadsTexture(context.state, stages) || context.Texture(stages) != nullptr))
    ++stages;
  return stages;
}

// PREMODULATE multiplies the texture of the next stage into its result. Source: lib/opcode/dp2.md 8.4.
bool IsPremodulated(const State& state, uint32_t stage) {
  return stage > 0 &&
         state.stage(stage - 1, TextureStageState::ColorOp) == d3d::Value(TextureOp::Premodulate);
}

}  // namespace

uint32_t SamplerMasks::Of(const Context& context, uint32_t shader) {
  if (const auto known = masks_.find(shader); known != masks_.end()) return known->second;
  const auto object = context.pixel_shaders.find(shader);
  if (object == context.pixel_shaders.end()) return 0;
  return masks_[shader] = MaskOf(object->second.code);
}

bool IsBump(uint32_t operation) {
  return operation == d3d::Value(TextureOp::BumpEnvMap) ||
         operation == d3d::Value(TextureOp::BumpEnvMapLuminance);
}

bool StageReads(const State& state, uint32_t stage, TextureArg what) {
  return Reads(ColorOf(state, stage), what) || Reads(AlphaOf(state, stage), what);
}

uint32_t ReadTextures(const CommandView& view, SamplerMasks& masks) {
  const State& state = view.context.state;
  if (state.pixel_shader != 0) return masks.Of(view.context, state.pixel_shader);
  uint32_t textures = 0;
  const uint32_t last = CascadeLength(view.context);  // which is off, or lacks the texture
  for (uint32_t stage = 0; stage <= last && IsEnabled(state, stage); ++stage) {
    if (StageReads(state, stage, TextureArg::Texture) || IsPremodulated(state, stage))
      textures |= 1U << stage;
  }
  return textures;
}

StageUse UseOf(const CommandView& view, SamplerMasks& masks) {
  const State& state = view.context.state;
  StageUse use;
  use.has_shader = state.pixel_shader != 0;
  if (!use.has_shader) {
    use.stages = CascadeLength(view.context);
    use.lacks_texture = IsEnabled(state, use.stages);
    use.loses_stages = use.lacks_texture && IsEnabled(state, use.stages + 1);
  }
  use.textures = ReadTextures(view, masks);
  for (uint32_t slot = 0; slot < d3d::kPixelSamplerCount; ++slot) {
    const bool is_read = ((use.textures >> slot) & 1) != 0;
    if (is_read && view.context.Texture(slot) == nullptr) use.textures &= ~(1U << slot);
  }
  return use;
}

}  // namespace dp2trace::validate
