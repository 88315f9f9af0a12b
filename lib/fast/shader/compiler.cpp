#include <bit>
#include <cmath>

#include "fast/machine/simplify.h"
#include "fast/shader/arithmetic.h"
#include "fast/shader/texture.h"
#include "shader/limits.h"
#include "shader/semantics.h"

namespace dp2trace::fast {
namespace {

using Code = shader::Op;
using shader::OpKind;
using shader::RegisterType;

// Beyond, the interpreter is as good: a program of this length does not stay in the caches.
constexpr uint32_t kMaxInstructions = 1U << 14;
constexpr uint32_t kMaxRegisters = 1U << 14;

class ShaderCompiler {
 public:
  ShaderCompiler(const shader::Program& program, const ShaderEnvironment& environment)
      : program_(program),
        environment_(environment),
        code_(std::make_shared<ShaderCode>()),
        emitter_(code_->program),
        registers_(emitter_),
        flow_(program, *environment.constants, emitter_),
        operands_(program, emitter_, registers_, flow_, *code_),
        arithmetic_(program, emitter_, operands_, *environment.constants),
        textures_(program, environment, emitter_, operands_, registers_, flow_, *code_) {}

  std::shared_ptr<const ShaderCode> Compile(const std::vector<WantedOutput>& outputs) {
    AddInputs();
    uint32_t index = 0;
    for (; code_->steps < shader::kInstructionBudget && !flow_.has_ended(); ++code_->steps) {
      if (emitter_.size() > kMaxInstructions || code_->program.register_count > kMaxRegisters)
        return nullptr;
      index = index < program_.instructions.size() ? Step(index) : flow_.RunPastEnd(index);
      emitter_.Release();
    }
    if (!flow_.has_ended() || flow_.has_failed() || textures_.has_failed()) return nullptr;
    for (const WantedOutput& output : outputs) {
      Vector& value = code_->outputs[{output.type, output.number}];
      for (uint32_t i = 0; i < 4; ++i)
        value[i] = registers_.Read(output.type, output.number, i);
    }
    if (code_->legacy_depth) zeros_.push_back(code_->legacy_depth->number());
    SetZeros();
    Shorten();
    return code_;
  }

 private:
  void AddInputs() {
    const bool has_coordinates = program_.version.is_pixel && program_.version.code() < 0x30 &&
                                 program_.version.code() >= 0x14;
    const auto given = [&](RegisterType type, auto& places) {
      const uint32_t used = IsReadByAddress(type) ? ~0U : shader::UsedRegisters(program_, type);
      for (uint32_t i = 0; i < VectorRegisterCount(type); ++i) {
        if ((used >> i & 1U) != 0) places.try_emplace(i, registers_.Given(type, i));
      }
    };
    given(RegisterType::kInput, code_->inputs);
    if (has_coordinates) given(RegisterType::kTexture, code_->coordinates);
    if (program_.version.is_pixel && program_.version.code() >= 0x30)
      given(RegisterType::kMisc, code_->misc);
  }

  bool IsReadByAddress(RegisterType type) const {
    for (const shader::Instruction& instruction : program_.instructions) {
      for (uint32_t i = 0; i < instruction.source_count; ++i) {
        if (instruction.sources[i].type == type && instruction.sources[i].is_relative) return true;
      }
    }
    return false;
  }

  uint32_t Step(uint32_t index) {
    const shader::Instruction& instruction = program_.instructions[index];
    switch (instruction.info->kind) {
      case OpKind::kDeclaration:
        return index + 1;
      case OpKind::kFlow:
        if (instruction.op() == Code::Phase) ForgetAlpha();
        return flow_.Step(index, ConditionOf(instruction));
      case OpKind::kTexture:
        textures_.Compile(instruction);
        return index + 1;
      case OpKind::kArithmetic:
        break;
    }
    const bool has_pair = index + 1 < program_.instructions.size() &&
                          program_.instructions[index + 1].is_coissued &&
                          program_.instructions[index + 1].info->kind == OpKind::kArithmetic &&
                          program_.version.major == 1 && instruction.op() != Code::SetP;
    if (has_pair) {
      arithmetic_.CompilePair(instruction, program_.instructions[index + 1]);
      return index + 2;
    }
    if (!flow_.active().is_none()) arithmetic_.Compile(instruction);
    return index + 1;
  }

  LaneMask ConditionOf(const shader::Instruction& instruction) {
    const auto& sources = instruction.sources;
    if (flow_.active().is_none()) return LaneMask::None();
    switch (instruction.op()) {
      case Code::If:
      case Code::BreakP:
        return operands_.Condition(sources[0], 0, *environment_.constants);
      case Code::CallNz:
        return operands_.Condition(sources[1], 0, *environment_.constants);
      case Code::IfC:
      case Code::BreakC:
        return LaneMask::Some(arithmetic_
                                  .Compare(instruction.control, operands_.Read(sources[0], 0),
                                           operands_.Read(sources[1], 0))
                                  .number());
      default:
        return LaneMask::All();
    }
  }

  // The alpha of temporary registers is 0 after the phase marker.
  void ForgetAlpha() {
    for (const uint32_t number : registers_.Named(RegisterType::kTemp)) {
      if (const auto alpha = registers_.Write(RegisterType::kTemp, number, 3, false))
        emitter_.Copy(*alpha, emitter_.Literal(0.0F));
    }
  }

  void Shorten() {
    std::vector<Operand> results;
    for (const auto& [output, value] : code_->outputs)
      results.insert(results.end(), value.begin(), value.end());
    if (code_->legacy_depth) results.push_back(*code_->legacy_depth);
    Simplify(code_->program, results);
  }

  // Puts the zeros in front, and moves what jumps.
  void SetZeros() {
    Program& program = code_->program;
    zeros_.insert(zeros_.end(), registers_.zeros().begin(), registers_.zeros().end());
    const Operand zero = emitter_.Literal(0.0F);
    std::vector<Instruction> all;
    all.reserve(zeros_.size() + program.instructions.size());
    for (const uint32_t number : zeros_) {
      all.push_back(
          {.op = Op::kMove, .to = static_cast<uint16_t>(number), .a = zero, .b = {}, .c = {}});
    }
    const auto count = static_cast<uint32_t>(all.size());
    for (Instruction instruction : program.instructions) {
      if (instruction.op == Op::kJumpIfNone || instruction.op == Op::kJump)
        instruction.data += count;
      all.push_back(instruction);
    }
    program.instructions = std::move(all);
  }

  const shader::Program& program_;
  const ShaderEnvironment& environment_;
  std::shared_ptr<ShaderCode> code_;
  Emitter emitter_;
  RegisterFile registers_;
  FlowCompiler flow_;
  OperandCompiler operands_;
  ArithmeticCompiler arithmetic_;
  TextureCompiler textures_;
  std::vector<uint32_t> zeros_;
};

float Modified(shader::Modifier modifier, float x) {
  using shader::Modifier;
  switch (modifier) {
    case Modifier::kNegate:
      return -x;
    case Modifier::kBias:
      return x - 0.5F;
    case Modifier::kBiasNegate:
      return -(x - 0.5F);
    case Modifier::kSigned:
      return 2.0F * (x - 0.5F);
    case Modifier::kSignedNegate:
      return -(2.0F * (x - 0.5F));
    case Modifier::kComplement:
      return 1.0F - x;
    case Modifier::kDouble:
      return 2.0F * x;
    case Modifier::kDoubleNegate:
      return -(2.0F * x);
    case Modifier::kAbsolute:
      return std::fabs(x);
    case Modifier::kAbsoluteNegate:
      return -std::fabs(x);
    default:
      return x;
  }
}

float ValueOf(const OpenConstant& constant, const ShaderEnvironment& environment) {
  if (constant.kind == OpenConstant::Kind::kReal) {
    return Modified(constant.modifier,
                    environment.constants->Real(constant.number)[constant.component]);
  }
  const raster::StageBump& bump =
      environment.textures->bump(static_cast<uint32_t>(constant.number));
  const std::array<float, 6> values = {
      bump.m00, bump.m01, bump.m10, bump.m11, bump.luminance_scale, bump.luminance_offset};
  return values[constant.component];
}

}  // namespace

std::shared_ptr<const ShaderCode> CompileShader(const shader::Program& program,
                                                const ShaderEnvironment& environment,
                                                const std::vector<WantedOutput>& outputs) {
  return ShaderCompiler(program, environment).Compile(outputs);
}

Program WithConstants(const ShaderCode& code, const ShaderEnvironment& environment) {
  Program program = code.program;
  for (const OpenConstant& constant : code.constants)
    program.constants[constant.index].lanes.fill(ValueOf(constant, environment));
  return program;
}

}  // namespace dp2trace::fast
