#include "fast/pixel/stage_compiler.h"

#include <algorithm>

#include "raster/vertex/vertex.h"

namespace dp2trace::fast {
namespace {

using d3d::TextureOp;
using raster::ArgumentSource;

// One number of each pixel. `is_unit`: known to be in [0, 1], and not -0.
struct Value {
  Operand operand;
  bool is_unit = false;
};
using Color = std::array<Value, 4>;

class StageCompiler {
 public:
  StageCompiler(const raster::TextureStages& stages, TextureCache& cache)
      : stages_(stages), cache_(cache), code_(std::make_shared<PixelCode>()) {}

  std::shared_ptr<PixelCode> Compile() {
    diffuse_ = ColorVarying(raster::kDiffuseSlot, 1.0F);
    specular_ = ColorVarying(raster::kSpecularSlot, 0.0F);
    current_ = diffuse_;
    temp_ = Constants({0, 0, 0, 0});
    factor_ = Constants(stages_.factor);
    for (const raster::StagePlan& stage : stages_.stages) {
      if (stage.masks_by_alpha) return nullptr;
      CompileStage(stage);
    }
    if (stages_.adds_specular) {
      for (size_t i = 0; i < 3; ++i)
        current_[i] = Saturated(Emit(Op::kAdd, current_[i], specular_[i]));
    }
    code_->is_unit = true;
    for (size_t i = 0; i < 4; ++i)
      code_->colors[0][i] = current_[i].operand;
    return code_;
  }

 private:
  struct Bump {
    const raster::BumpPlan* plan = nullptr;
    Color texture;
  };

  Value Constant(float value) {
    return {code_->program.AddConstant(value), value >= 0.0F && value <= 1.0F};
  }
  Color Constants(const raster::Float4& values) {
    return {Constant(values[0]), Constant(values[1]), Constant(values[2]), Constant(values[3])};
  }
  Value Emit(Op op, const Value& a, const Value& b = {}, const Value& c = {},
             bool is_unit = false) {
    const uint32_t to = code_->program.AddRegister();
    code_->program.Add(op, to, a.operand, b.operand, c.operand);
    return {Operand::Register(to), is_unit};
  }
  Value Saturated(const Value& value) {
    return value.is_unit ? value : Emit(Op::kSaturate, value, {}, {}, true);
  }
  Value Complement(const Value& value) {
    return Emit(Op::kComplement, value, {}, {}, value.is_unit);
  }
  static bool AreUnits(const Value& a, const Value& b) { return a.is_unit && b.is_unit; }

  Color ColorVarying(uint32_t slot, float absent) {
    if ((stages_.varying_mask >> slot & 1U) == 0)
      return Constants({absent, absent, absent, absent});
    Color color;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t to = code_->program.AddRegister();
      code_->inputs.push_back({.slot = static_cast<uint8_t>(slot),
                               .component = static_cast<uint8_t>(i),
                               .is_clamped = true,
                               .to = static_cast<uint16_t>(to)});
      color[i] = {Operand::Register(to), true};
    }
    return color;
  }

  // Texture coordinates in three registers in a row, divided and moved.
  uint32_t Coordinates(const raster::StagePlan& stage, const Bump& bump, bool needs_third) {
    Program& program = code_->program;
    const uint32_t slot = raster::kTexcoordSlot + stage.stage;
    const bool is_present = (stages_.varying_mask >> slot & 1U) != 0;
    const uint32_t count = needs_third ? 3 : 2;
    const uint32_t first = program.AddRegisters(3);
    const auto load = [&](uint32_t component, uint32_t to) {
      if (is_present) {
        code_->inputs.push_back({.slot = static_cast<uint8_t>(slot),
                                 .component = static_cast<uint8_t>(component),
                                 .to = static_cast<uint16_t>(to)});
      } else {
        program.Add(Op::kMove, to, program.AddConstant(component == 3 ? 1.0F : 0.0F));
      }
    };
    for (uint32_t i = 0; i < count; ++i)
      load(i, first + i);
    if (stage.divisor) {
      const uint32_t by = program.AddRegister();
      load(*stage.divisor, by);
      for (uint32_t i = 0; i < count; ++i)
        program.Add(Op::kDivide, first + i, Operand::Register(first + i), Operand::Register(by));
    }
    if (bump.plan != nullptr) MoveCoordinates(bump, first);
    return first;
  }

  // u' = u + M00*Du + M10*Dv, v' = v + M01*Du + M11*Dv.
  void MoveCoordinates(const Bump& bump, uint32_t first) {
    Program& program = code_->program;
    const auto& [m00, m01, m10, m11] = bump.plan->matrix;
    const auto add = [&](uint32_t to, float by, const Value& value) {
      program.Add(Op::kMultiplyAdd, to, program.AddConstant(by), value.operand,
                  Operand::Register(to));
    };
    add(first, m00, bump.texture[0]);
    add(first, m10, bump.texture[1]);
    add(first + 1, m01, bump.texture[0]);
    add(first + 1, m11, bump.texture[1]);
  }

  Color SampleStage(const raster::StagePlan& stage, const Bump& bump) {
    if (stage.sampler == nullptr) return Constants({0, 0, 0, 0});
    auto sampler = std::make_shared<const SamplerPlan>(*stage.sampler, cache_);
    const uint32_t first = Coordinates(stage, bump, sampler->uses_third_coordinate());
    const uint32_t to = code_->program.AddRegisters(4);
    code_->program.Add(Op::kSample, to, Operand::Register(first), {}, {},
                       static_cast<uint32_t>(code_->samplers.size()));
    code_->may_kill = code_->may_kill || stage.sampler->may_kill();
    Color color;
    for (uint32_t i = 0; i < 4; ++i)
      color[i] = {Operand::Register(to + i), sampler->is_unit()};
    code_->samplers.push_back(std::move(sampler));
    ScaleLuminance(bump, color);
    return color;
  }

  void ScaleLuminance(const Bump& bump, Color& color) {
    if (bump.plan == nullptr || !bump.plan->scales_luminance) return;
    const Value luminance = bump.plan->has_luminance ? bump.texture[2] : Constant(1.0F);
    const Value scaled = Emit(Op::kMultiplyAdd, luminance, Constant(bump.plan->luminance_scale),
                              Constant(bump.plan->luminance_offset));
    const Value factor = Saturated(scaled);
    for (size_t i = 0; i < 3; ++i)
      color[i] = Emit(Op::kMultiply, color[i], factor, {}, color[i].is_unit);
  }

  const Color& SourceOf(ArgumentSource source) const {
    switch (source) {
      case ArgumentSource::kDiffuse:
        return diffuse_;
      case ArgumentSource::kCurrent:
        return current_;
      case ArgumentSource::kTexture:
        return texture_;
      case ArgumentSource::kFactor:
        return factor_;
      case ArgumentSource::kSpecular:
        return specular_;
      case ArgumentSource::kTemp:
        return temp_;
      case ArgumentSource::kConstant:
        return constant_;
    }
    return current_;
  }
  Value ReadArgument(const raster::Argument& argument, size_t channel) {
    const Color& color = SourceOf(argument.source);
    const Value value = color[argument.replicates_alpha ? 3 : channel];
    return argument.is_complemented ? Complement(value) : value;
  }
  Value BlendFactor(TextureOp op) const {
    if (op == TextureOp::BlendDiffuseAlpha) return diffuse_[3];
    if (op == TextureOp::BlendTextureAlpha || op == TextureOp::BlendTextureAlphaPm)
      return texture_[3];
    return op == TextureOp::BlendFactorAlpha ? factor_[3] : current_[3];
  }

  // One channel of an operation, not yet clamped. The order of the terms is that of 4.3.
  Value Combine(const raster::Equation& equation, size_t channel) {
    const TextureOp op = equation.op;
    const auto a = [&] { return ReadArgument(equation.a, channel); };
    const auto b = [&] { return ReadArgument(equation.b, channel); };
    const auto c = [&] { return ReadArgument(equation.c, channel); };
    const auto a_alpha = [&] { return ReadArgument(equation.a, 3); };
    const auto product = [&] {
      const Value left = a();
      const Value right = b();
      return Emit(Op::kMultiply, left, right, {}, AreUnits(left, right));
    };
    const auto signed_sum = [&] {
      return Emit(Op::kSubtract, Emit(Op::kAdd, a(), b()), Constant(0.5F));
    };
    switch (op) {
      case TextureOp::SelectArg1:
      case TextureOp::Premodulate:
        return a();
      case TextureOp::SelectArg2:
        return b();
      case TextureOp::Modulate:
        return product();
      case TextureOp::Modulate2X:
        return Emit(Op::kMultiply, product(), Constant(2.0F));
      case TextureOp::Modulate4X:
        return Emit(Op::kMultiply, product(), Constant(4.0F));
      case TextureOp::Add:
        return Emit(Op::kAdd, a(), b());
      case TextureOp::AddSigned:
        return signed_sum();
      case TextureOp::AddSigned2X:
        return Emit(Op::kMultiply, signed_sum(), Constant(2.0F));
      case TextureOp::Subtract:
        return Emit(Op::kSubtract, a(), b());
      case TextureOp::AddSmooth: {
        const Value sum = Emit(Op::kAdd, a(), b());
        return Emit(Op::kSubtract, sum, product());
      }
      case TextureOp::BlendDiffuseAlpha:
      case TextureOp::BlendTextureAlpha:
      case TextureOp::BlendFactorAlpha:
      case TextureOp::BlendCurrentAlpha:
        return Blend(a(), b(), BlendFactor(op));
      case TextureOp::BlendTextureAlphaPm:
        return Emit(Op::kMultiplyAdd, b(), Complement(BlendFactor(op)), a());
      case TextureOp::ModulateAlphaAddColor:
        return Emit(Op::kMultiplyAdd, a_alpha(), b(), a());
      case TextureOp::ModulateColorAddAlpha:
        return Emit(Op::kMultiplyAdd, a(), b(), a_alpha());
      case TextureOp::ModulateInvAlphaAddColor:
        return Emit(Op::kMultiplyAdd, Complement(a_alpha()), b(), a());
      case TextureOp::ModulateInvColorAddAlpha:
        return Emit(Op::kMultiplyAdd, Complement(a()), b(), a_alpha());
      case TextureOp::MultiplyAdd:
        return Emit(Op::kMultiplyAdd, a(), b(), c());
      case TextureOp::Lerp:
        return Blend(a(), b(), c());
      case TextureOp::Disable:
      case TextureOp::BumpEnvMap:
      case TextureOp::BumpEnvMapLuminance:
      case TextureOp::DotProduct3:
        break;
    }
    return Constant(0.0F);
  }
  // a * k + b * (1 - k): in [0, 1] where all three are, since rounding is monotonous.
  Value Blend(const Value& a, const Value& b, const Value& k) {
    return Emit(Op::kBlend, a, b, k, AreUnits(a, b) && k.is_unit);
  }
  Value DotProduct3(const raster::Equation& equation) {
    Value terms[3];
    for (size_t i = 0; i < 3; ++i) {
      const Value a = Emit(Op::kSubtract, ReadArgument(equation.a, i), Constant(0.5F));
      const Value b = Emit(Op::kSubtract, ReadArgument(equation.b, i), Constant(0.5F));
      terms[i] = Emit(Op::kMultiply, a, b);
    }
    const Value sum = Emit(Op::kAdd, Emit(Op::kAdd, terms[0], terms[1]), terms[2]);
    return Saturated(Emit(Op::kMultiply, sum, Constant(4.0F)));
  }

  // CURRENT times the texture, ordered by the PREMODULATE of the stage before.
  void MultiplyCurrent(const raster::StagePlan& stage) {
    for (size_t i = 0; i < 4; ++i) {
      const bool is_wanted = i < 3 ? stage.multiplies_color : stage.multiplies_alpha;
      if (!is_wanted) continue;
      current_[i] = Saturated(
          Emit(Op::kMultiply, current_[i], texture_[i], {}, AreUnits(current_[i], texture_[i])));
    }
  }

  Color CombineStage(const raster::StagePlan& stage) {
    if (stage.color_passes_current) return current_;
    if (stage.color.op == TextureOp::DotProduct3) {
      const Value dot = DotProduct3(stage.color);
      return {dot, dot, dot, dot};
    }
    Color result;
    for (size_t i = 0; i < 3; ++i)
      result[i] = Saturated(Combine(stage.color, i));
    const bool passes_alpha = stage.alpha_passes_current || stage.alpha.op == TextureOp::Disable;
    if (passes_alpha) {
      result[3] = current_[3];
    } else if (stage.alpha.op == TextureOp::DotProduct3) {
      result[3] = DotProduct3(stage.alpha);
    } else {
      result[3] = Saturated(Combine(stage.alpha, 3));
    }
    return result;
  }

  void CompileStage(const raster::StagePlan& stage) {
    const Bump bump = bump_;
    bump_ = {};
    texture_ = SampleStage(stage, bump);
    if (stage.is_bump) {
      if (stage.bump) bump_ = {&*stage.bump, texture_};
      return;
    }
    if (!stage.is_signed_texture) {
      for (Value& value : texture_)
        value = Saturated(value);
    }
    constant_ = Constants(stage.constant);
    MultiplyCurrent(stage);
    (stage.writes_temp ? temp_ : current_) = CombineStage(stage);
  }

  const raster::TextureStages& stages_;
  TextureCache& cache_;
  std::shared_ptr<PixelCode> code_;
  Color diffuse_, specular_, current_, temp_, texture_, factor_, constant_;
  Bump bump_;
};

}  // namespace

std::shared_ptr<PixelCode> CompileStages(const raster::TextureStages& stages, TextureCache& cache) {
  return StageCompiler(stages, cache).Compile();
}

}  // namespace dp2trace::fast
