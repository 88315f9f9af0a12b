#include "raster/pixel/combine.h"

namespace dp2trace::raster {
namespace {

using d3d::TextureOp;

// What an operation works on in one channel.
struct Operands {
  float a = 0, b = 0, c = 0;
  float a_alpha = 0;
  float k = 0;  // blend factor
};

// A blend factor is an alpha: of a register, or none.
float BlendFactor(TextureOp op, const StageRegisters& registers) {
  if (op == TextureOp::BlendDiffuseAlpha) return registers.diffuse[3];
  if (op == TextureOp::BlendTextureAlpha || op == TextureOp::BlendTextureAlphaPm)
    return registers.texture[3];
  if (op == TextureOp::BlendFactorAlpha) return registers.factor[3];
  if (op == TextureOp::BlendCurrentAlpha) return registers.current[3];
  return 0.0F;
}

float Combine(TextureOp op, const Operands& o) {
  switch (op) {
    case TextureOp::SelectArg1:
    case TextureOp::Premodulate:  // its other half acts on the next stage
      return o.a;
    case TextureOp::SelectArg2:
      return o.b;
    case TextureOp::Modulate:
      return o.a * o.b;
    case TextureOp::Modulate2X:
      return 2.0F * (o.a * o.b);
    case TextureOp::Modulate4X:
      return 4.0F * (o.a * o.b);
    case TextureOp::Add:
      return o.a + o.b;
    case TextureOp::AddSigned:
      return o.a + o.b - 0.5F;
    case TextureOp::AddSigned2X:
      return 2.0F * (o.a + o.b - 0.5F);
    case TextureOp::Subtract:
      return o.a - o.b;
    case TextureOp::AddSmooth:
      return o.a + o.b - o.a * o.b;
    case TextureOp::BlendDiffuseAlpha:
    case TextureOp::BlendTextureAlpha:
    case TextureOp::BlendFactorAlpha:
    case TextureOp::BlendCurrentAlpha:
      return o.a * o.k + o.b * (1.0F - o.k);
    case TextureOp::BlendTextureAlphaPm:
      return o.a + o.b * (1.0F - o.k);
    case TextureOp::ModulateAlphaAddColor:
      return o.a + o.a_alpha * o.b;
    case TextureOp::ModulateColorAddAlpha:
      return o.a * o.b + o.a_alpha;
    case TextureOp::ModulateInvAlphaAddColor:
      return o.a + (1.0F - o.a_alpha) * o.b;
    case TextureOp::ModulateInvColorAddAlpha:
      return (1.0F - o.a) * o.b + o.a_alpha;
    case TextureOp::MultiplyAdd:
      return o.c + o.a * o.b;
    case TextureOp::Lerp:
      return o.c * o.a + (1.0F - o.c) * o.b;
    case TextureOp::Disable:
    case TextureOp::BumpEnvMap:
    case TextureOp::BumpEnvMapLuminance:
    case TextureOp::DotProduct3:
      break;
  }
  return 0.0F;
}

float DotProduct3(const Float4& a, const Float4& b) {
  const float r = (a[0] - 0.5F) * (b[0] - 0.5F);
  const float g = (a[1] - 0.5F) * (b[1] - 0.5F);
  const float blue = (a[2] - 0.5F) * (b[2] - 0.5F);
  return Saturate(4.0F * (r + g + blue));
}

const Float4& SourceOf(ArgumentSource source, const StageRegisters& registers) {
  switch (source) {
    case ArgumentSource::kDiffuse:
      return registers.diffuse;
    case ArgumentSource::kCurrent:
      return registers.current;
    case ArgumentSource::kTexture:
      return registers.texture;
    case ArgumentSource::kFactor:
      return registers.factor;
    case ArgumentSource::kSpecular:
      return registers.specular;
    case ArgumentSource::kTemp:
      return registers.temp;
    case ArgumentSource::kConstant:
      return registers.constant;
  }
  return registers.current;
}

bool UsesFirst(TextureOp op) {
  return op != TextureOp::SelectArg2;
}
bool UsesSecond(TextureOp op) {
  return op != TextureOp::SelectArg1 && op != TextureOp::Premodulate;
}
bool UsesThird(TextureOp op) {
  return op == TextureOp::MultiplyAdd || op == TextureOp::Lerp;
}

}  // namespace

// Unspecified: sources 7 to 15; chosen: CURRENT, which makes a stage pass on what it gets.
Argument ArgumentOf(uint32_t value) {
  const uint32_t source = value & d3d::kTextureArgSelectMask;
  const bool is_defined = source <= d3d::Value(d3d::TextureArg::Constant);
  return {.source = is_defined ? static_cast<ArgumentSource>(source) : ArgumentSource::kCurrent,
          .is_complemented = (value & d3d::kTextureArgComplement) != 0,
          .replicates_alpha = (value & d3d::kTextureArgAlphaReplicate) != 0};
}

bool ReadsTexture(const Equation& equation) {
  const TextureOp op = equation.op;
  if (op == TextureOp::Disable) return false;
  if (op == TextureOp::BumpEnvMap || op == TextureOp::BumpEnvMapLuminance) return true;
  if (op == TextureOp::BlendTextureAlpha || op == TextureOp::BlendTextureAlphaPm) return true;
  const auto is_texture = [](const Argument& argument) {
    return argument.source == ArgumentSource::kTexture;
  };
  return (UsesFirst(op) && is_texture(equation.a)) || (UsesSecond(op) && is_texture(equation.b)) ||
         (UsesThird(op) && is_texture(equation.c));
}

Float4 ReadArgument(const Argument& argument, const StageRegisters& registers) {
  Float4 value = SourceOf(argument.source, registers);
  if (argument.replicates_alpha) value = {value[3], value[3], value[3], value[3]};
  if (argument.is_complemented) {
    for (float& channel : value) {
      channel = 1.0F - channel;
    }
  }
  return value;
}

Float4 CombineColor(const Equation& equation, const StageRegisters& registers) {
  const Float4 a = ReadArgument(equation.a, registers);
  const Float4 b = ReadArgument(equation.b, registers);
  const Float4 c = ReadArgument(equation.c, registers);
  if (equation.op == TextureOp::DotProduct3) {
    const float dot = DotProduct3(a, b);
    return {dot, dot, dot, dot};
  }
  const float k = BlendFactor(equation.op, registers);
  Float4 color = {};
  for (size_t i = 0; i < 3; ++i) {
    color[i] = Saturate(Combine(equation.op, {a[i], b[i], c[i], a[3], k}));
  }
  return color;
}

float CombineAlpha(const Equation& equation, const StageRegisters& registers) {
  const Float4 a = ReadArgument(equation.a, registers);
  const Float4 b = ReadArgument(equation.b, registers);
  const Float4 c = ReadArgument(equation.c, registers);
  if (equation.op == TextureOp::DotProduct3) return DotProduct3(a, b);
  return Saturate(
      Combine(equation.op, {a[3], b[3], c[3], a[3], BlendFactor(equation.op, registers)}));
}

}  // namespace dp2trace::raster
