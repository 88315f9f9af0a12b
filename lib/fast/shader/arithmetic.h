// Arithmetic instructions as operations. Source: lib/raster/rendering-shaders.md 8.4 and 8.5; raster/shader/arithmetic.cpp has the same results.
#pragma once

#include "fast/shader/operands.h"

namespace dp2trace::fast {

class ArithmeticCompiler {
 public:
  ArithmeticCompiler(const shader::Program& program, Emitter& emitter, OperandCompiler& operands,
                     const raster::ConstantRegisters& constants)
      : program_(&program), emitter_(&emitter), operands_(&operands), constants_(&constants) {}

  // One instruction, or a co-issued pair: both read before either writes. SetP too.
  void Compile(const shader::Instruction& instruction);
  void CompilePair(const shader::Instruction& first, const shader::Instruction& second);
  // A comparison of two numbers as a mask.
  Operand Compare(uint8_t comparison, Operand a, Operand b);

 private:
  // An instruction under way.
  struct Work {
    const shader::Instruction* instruction = nullptr;
    std::array<Vector, 4> sources = {};
    Vector results = {};
    bool keeps_destination = false;  // results wait in registers of their own
  };
  Work Start(const shader::Instruction& instruction, bool keeps_destination);
  void Finish(const Work& work);
  void Calculate(Work& work);
  bool CalculateSimple(Work& work);
  bool CalculateVector(Work& work);
  void CalculateScalar(Work& work);
  void CalculateMatrix(Work& work);
  void SetPredicate(const shader::Instruction& instruction);

  bool IsWanted(const Work& work, uint32_t component) const {
    return (uint32_t{work.instruction->result_mask()} >> component & 1U) != 0;
  }
  // The register for a component of the result. Components of the sources from `first_needed` on are read by operations that follow.
  uint32_t To(Work& work, uint32_t component, uint32_t first_needed);
  void Set(Work& work, uint32_t component, Op op, Operand a, Operand b = {}, Operand c = {}) {
    Set(0, work, component, op, a, b, c);
  }
  void Set(uint32_t first_needed, Work& work, uint32_t component, Op op, Operand a, Operand b,
           Operand c);
  void SetAll(Work& work, Operand value);
  void PerComponent(Work& work, Op op, uint32_t count);
  Operand One() { return emitter_->Literal(1.0F); }
  Operand Zero() { return emitter_->Literal(0.0F); }
  Operand Shine(const Vector& s);
  void Condition(Work& work);

  const shader::Program* program_;
  Emitter* emitter_;
  OperandCompiler* operands_;
  const raster::ConstantRegisters* constants_;
};

}  // namespace dp2trace::fast
