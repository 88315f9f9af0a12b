// Texture instructions as operations. Source: lib/raster/rendering-shaders.md 8.7 and 8.8; raster/shader/texture_instructions.cpp and
// texture_legacy.cpp have the same results.
#pragma once

#include "fast/shader/operands.h"

namespace dp2trace::fast {

class TextureCompiler {
 public:
  TextureCompiler(const shader::Program& program, const ShaderEnvironment& environment,
                  Emitter& emitter, OperandCompiler& operands, RegisterFile& registers,
                  const FlowCompiler& flow, ShaderCode& code)
      : program_(&program),
        environment_(&environment),
        emitter_(&emitter),
        operands_(&operands),
        registers_(&registers),
        flow_(&flow),
        code_(&code),
        rows_({Zero(), Zero()}) {}

  void Compile(const shader::Instruction& instruction);
  // Something here is beyond the machine.
  bool has_failed() const { return has_failed_; }

 private:
  struct Lod {
    Op op = Op::kSample;
    Operand b, c;
  };
  void Kill(const shader::Instruction& instruction);
  Vector Modern(const shader::Instruction& instruction);
  Vector Legacy(const shader::Instruction& instruction);
  Vector LoadStage(const shader::Instruction& instruction, const Vector& source);
  Vector Bumped(const shader::Instruction& instruction, const Vector& source);
  Vector Reflected(const shader::Instruction& instruction, const Vector& source);
  Vector CompleteMatrix(const shader::Instruction& instruction, const Vector& source,
                        uint32_t rows);
  void AddRow(const shader::Instruction& instruction, const Vector& source);
  void WriteDepth(const Vector& value);

  // `whole`: four registers that may take the texel.
  Vector Sample(uint32_t number, const Vector& coordinates, const Lod& lod,
                std::optional<uint32_t> whole = std::nullopt);
  Vector CoordinatesOf(uint32_t stage);
  Vector Divided(const Vector& coordinates, Operand by);
  Vector Projected(uint32_t stage, const Vector& coordinates);
  void WriteAll(const shader::Instruction& instruction, const Vector& value);
  Operand One() { return emitter_->Literal(1.0F); }
  Operand Zero() { return emitter_->Literal(0.0F); }

  const shader::Program* program_;
  const ShaderEnvironment* environment_;
  Emitter* emitter_;
  OperandCompiler* operands_;
  RegisterFile* registers_;
  const FlowCompiler* flow_;
  ShaderCode* code_;
  std::array<Operand, 2> rows_;  // dot products of the pads so far
  uint32_t row_count_ = 0;
  std::optional<uint32_t> whole_;
  bool has_failed_ = false;
};

}  // namespace dp2trace::fast
