#include "raster/shader/interpreter.h"

#include "raster/probe/fragment.h"
#include "raster/shader/arithmetic.h"
#include "raster/shader/flow.h"
#include "raster/shader/texture_instructions.h"
#include "shader/limits.h"

namespace dp2trace::raster {
namespace {

using shader::Instruction;
using shader::Op;
using shader::OpKind;

class Execution {
 public:
  Execution(const shader::Program& program, const ConstantRegisters& constants,
            const TextureBank& textures, ShaderRegisters& registers, uint32_t lane_count,
            ProbedShading* probe)
      : program_(program),
        constants_(constants),
        textures_(textures),
        registers_(registers),
        lane_count_(lane_count),
        operands_(registers, constants),
        flow_(program, (1U << lane_count) - 1),
        probe_(probe) {
    unit_.program = &program;
    unit_.textures = &textures;
    unit_.operands = &operands_;
    unit_.registers = &registers;
    unit_.lane_count = lane_count;
    unit_.probe = probe;
  }

  ShaderResult Run() {
    uint32_t index = 0;
    uint32_t executed = 0;
    for (; executed < shader::kInstructionBudget && !flow_.has_ended(); ++executed) {
      if (index >= program_.instructions.size()) {
        index = flow_.RunPastEnd(index);
      } else {
        index = KeepsSteps() ? ProbedStepOf(index) : Step(index);
      }
    }
    return {unit_.killed, unit_.writes_depth, unit_.depth, executed};
  }

 private:
  bool KeepsSteps() const {
    return probe_ != nullptr && probe_->wants_steps && *probe_->budget != 0;
  }

  // Step(), with what the lane of the probe reads and what is in its destinations after it. A pair is one step of two instructions.
  uint32_t ProbedStepOf(uint32_t index) {
    const shader::OpKind kind = program_.instructions[index].info->kind;
    if (kind == OpKind::kDeclaration) return Step(index);
    const bool is_arithmetic = kind == OpKind::kArithmetic;
    std::vector<ProbedStep> steps(1, StepBefore(index));
    const bool may_pair = is_arithmetic && index + 1 < program_.instructions.size();
    if (may_pair) steps.push_back(StepBefore(index + 1));
    const uint32_t next = Step(index);
    if (may_pair && next != index + 2) steps.pop_back();
    for (ProbedStep& step : steps) {
      if (!probe_->Spend()) break;
      const Instruction& instruction = program_.instructions[step.instruction];
      const shader::Destination& target = instruction.destination;
      const Float4Quad* const value =
          instruction.has_destination && kind != OpKind::kFlow
              ? registers_.Find(target.type, operands_.Place(target.number, target.is_relative,
                                                             target.relative, probe_->lane))
              : nullptr;
      if (value != nullptr) step.result = (*value)[probe_->lane];
      probe_->steps.push_back(std::move(step));
    }
    return next;
  }

  ProbedStep StepBefore(uint32_t index) const {
    const Instruction& instruction = program_.instructions[index];
    ProbedStep step;
    step.instruction = index;
    step.is_active = (flow_.active() >> probe_->lane & 1) != 0;
    if (instruction.info->kind != OpKind::kArithmetic) return step;
    for (uint32_t i = 0; i < instruction.source_count; ++i)
      step.sources.push_back(operands_.Read(instruction.sources[i], probe_->lane));
    return step;
  }

  uint32_t Step(uint32_t index) {
    const Instruction& instruction = program_.instructions[index];
    switch (instruction.info->kind) {
      case OpKind::kDeclaration:
        return index + 1;
      case OpKind::kFlow:
        if (instruction.op() == Op::Phase) ForgetAlpha();
        return flow_.Step(index, ConditionOf(instruction), constants_, registers_);
      case OpKind::kTexture: {
        const Float4Quad result = RunTextureInstruction(instruction, flow_.active(), unit_);
        if (instruction.op() != Op::TexKill) Write(instruction, result);
        return index + 1;
      }
      case OpKind::kArithmetic:
        break;
    }
    return Calculate(index);
  }

  // Nop writes nothing.
  void Write(const Instruction& instruction, const Float4Quad& result) {
    if (!instruction.has_destination) return;
    WriteResult(program_, instruction, result, flow_.active(), operands_, registers_);
  }

  // Both instructions of a pair read before either writes.
  uint32_t Calculate(uint32_t index) {
    const Instruction& first = program_.instructions[index];
    if (first.op() == Op::SetP) {
      SetPredicate(first);
      return index + 1;
    }
    const Float4Quad result = ResultOf(first);
    const bool has_pair = index + 1 < program_.instructions.size() &&
                          program_.instructions[index + 1].is_coissued &&
                          program_.instructions[index + 1].info->kind == OpKind::kArithmetic &&
                          program_.version.major == 1;
    if (!has_pair) {
      Write(first, result);
      return index + 1;
    }
    const Instruction& second = program_.instructions[index + 1];
    const Float4Quad second_result = ResultOf(second);
    Write(first, result);
    Write(second, second_result);
    return index + 2;
  }

  Float4Quad ResultOf(const Instruction& instruction) const {
    switch (instruction.op()) {
      case Op::Dsx:
        return Derivative(instruction, 1);
      case Op::Dsy:
        return Derivative(instruction, 2);
      case Op::Bem:
        return Bumped(instruction);
      default:
        break;
    }
    Float4Quad result = {};
    for (uint32_t lane = 0; lane < lane_count_; ++lane) {
      if (instruction.info->matrix_rows != 0) {
        result[lane] = Product(instruction, lane);
        continue;
      }
      std::array<Float4, 4> sources = {};
      for (uint32_t i = 0; i < instruction.source_count; ++i)
        sources[i] = operands_.Read(instruction.sources[i], lane);
      result[lane] = Evaluate(instruction, program_.version, sources);
    }
    return result;
  }

  // Difference along a row (bit 1 of the lane number) or a column (bit 2) of the quad. Source: lib/raster/rendering.md 0.5.
  Float4Quad Derivative(const Instruction& instruction, uint32_t bit) const {
    Float4Quad result = {};
    const Float4Quad values = operands_.ReadAll(instruction.sources[0], kLaneCount);
    for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
      for (size_t i = 0; i < 4; ++i)
        result[lane][i] = values[lane | bit][i] - values[lane & ~bit][i];
    }
    return result;
  }

  // Bem of 1.4: the matrix of the stage that has the number of the destination.
  Float4Quad Bumped(const Instruction& instruction) const {
    const StageBump& bump = textures_.bump(instruction.destination.number);
    Float4Quad result = {};
    for (uint32_t lane = 0; lane < lane_count_; ++lane) {
      const Float4 a = operands_.Read(instruction.sources[0], lane);
      const Float4 b = operands_.Read(instruction.sources[1], lane);
      result[lane][0] = (a[0] + bump.m00 * b[0]) + bump.m10 * b[1];
      result[lane][1] = (a[1] + bump.m01 * b[0]) + bump.m11 * b[1];
    }
    return result;
  }

  // The rows of a matrix are consecutive registers.
  Float4 Product(const Instruction& instruction, uint32_t lane) const {
    const bool is_four = instruction.op() == Op::M4x4 || instruction.op() == Op::M4x3;
    const Float4 vector = operands_.Read(instruction.sources[0], lane);
    Float4 result = {};
    for (uint32_t row = 0; row < instruction.info->matrix_rows; ++row) {
      const Float4 coefficients = operands_.Read(instruction.sources[1], lane, row);
      result[row] = is_four ? Dot4(vector.data(), coefficients.data())
                            : Dot3(vector.data(), coefficients.data());
    }
    return result;
  }

  void SetPredicate(const Instruction& instruction) {
    for (uint32_t lane = 0; lane < lane_count_; ++lane) {
      if ((flow_.active() >> lane & 1) == 0) continue;
      const Float4 a = operands_.Read(instruction.sources[0], lane);
      const Float4 b = operands_.Read(instruction.sources[1], lane);
      std::array<bool, 4> value = registers_.predicate[lane];
      for (uint32_t i = 0; i < 4; ++i) {
        const bool is_written =
            (instruction.destination.mask >> i & 1) != 0 &&
            (!instruction.is_predicated || operands_.IsTrue(instruction.predicate, lane, i));
        if (is_written) value[i] = CompareReals(instruction.control, a[i], b[i]);
      }
      registers_.predicate[lane] = value;
    }
  }

  // The lanes for which a flow instruction acts.
  uint32_t ConditionOf(const Instruction& instruction) const {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < lane_count_; ++lane) {
      if (Holds(instruction, lane)) lanes |= 1U << lane;
    }
    return lanes;
  }

  bool Holds(const Instruction& instruction, uint32_t lane) const {
    const auto& sources = instruction.sources;
    switch (instruction.op()) {
      case Op::If:
      case Op::BreakP:
        return operands_.IsTrue(sources[0], lane);
      case Op::CallNz:
        return operands_.IsTrue(sources[1], lane);
      case Op::IfC:
      case Op::BreakC:
        return CompareReals(instruction.control, operands_.Read(sources[0], lane)[0],
                            operands_.Read(sources[1], lane)[0]);
      default:
        return true;
    }
  }

  // Unspecified: the alpha of temporary registers after the phase marker; chosen: 0.
  void ForgetAlpha() {
    for (Float4Quad& temp : registers_.temps) {
      for (Float4& lane : temp)
        lane[3] = 0.0F;
    }
  }

  const shader::Program& program_;
  const ConstantRegisters& constants_;
  const TextureBank& textures_;
  ShaderRegisters& registers_;
  uint32_t lane_count_;
  OperandReader operands_;
  FlowStack flow_;
  TextureUnit unit_ = {};
  ProbedShading* probe_;
};

}  // namespace

ShaderResult Interpreter::Run(ShaderRegisters& registers, uint32_t lane_count,
                              ProbedShading* probe) const {
  return Execution(*program_, *constants_, *textures_, registers, lane_count, probe).Run();
}

}  // namespace dp2trace::raster
