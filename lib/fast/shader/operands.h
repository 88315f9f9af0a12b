// Reads and writes what the operands of shader instructions name: register, relative address, swizzle, modifier; mask, scale, limits.
// Source: lib/raster/rendering-shaders.md 8.1 and 8.3; raster::OperandReader and raster::WriteResult have the same results.
#pragma once

#include <cstdint>
#include <optional>

#include "fast/shader/flow.h"
#include "fast/shader/register_file.h"
#include "fast/shader/shader_code.h"

namespace dp2trace::fast {

class OperandCompiler {
 public:
  OperandCompiler(const shader::Program& program, Emitter& emitter, RegisterFile& registers,
                  const FlowCompiler& flow, ShaderCode& code)
      : program_(&program),
        emitter_(&emitter),
        registers_(&registers),
        flow_(&flow),
        code_(&code) {}

  // One component, after swizzle and modifier. `row` is added to the register number.
  Operand Read(const shader::Source& source, uint32_t component, uint32_t row = 0);
  Vector ReadAll(const shader::Source& source, uint32_t row = 0);
  // The bump environment of a stage, as OpenConstant numbers it.
  Operand Bump(uint32_t stage, uint8_t component);

  // A boolean constant or a component of p0 as lanes; `constants` are those of the draw.
  LaneMask Condition(const shader::Source& condition, uint32_t component,
                     const raster::ConstantRegisters& constants);

  // Where a result may be computed: the register itself if nothing stands between, else a new one. `is_read_later`: something that is
  // still to be computed reads that register.
  uint32_t Target(const shader::Instruction& instruction, uint32_t component);
  // Scales, limits and stores one component of a result that lies in `value`: in a register that the component is meant for, or that
  // nothing else reads unless it `is_read_later`.
  void Write(const shader::Instruction& instruction, uint32_t component, Operand value,
             const raster::ConstantRegisters& constants, bool is_read_later = false);
  // The four registers of the destination where they may take a whole vector at once, before it is scaled and limited.
  std::optional<uint32_t> WholeTarget(const shader::Instruction& instruction);

 private:
  Operand Raw(const shader::Source& source, uint32_t component, uint32_t row);
  Operand OpenReal(int64_t number, uint8_t component, shader::Modifier modifier);
  Operand Modified(shader::Modifier modifier, Operand value);
  // Number + floor(address), as a number in a register.
  Operand Place(uint32_t number, const shader::RelativeAddress& relative);
  void Store(shader::RegisterType type, int64_t number, uint32_t component, Operand value,
             const LaneMask& lanes);
  // What happens to a result before it is stored.
  struct Change {
    Op op = Op::kMove;
    Operand b, c;
  };
  std::vector<Change> ChangesOf(const shader::Destination& target) const;
  Operand Changed(const shader::Instruction& instruction, uint32_t component, Operand value,
                  const LaneMask& lanes, bool is_read_later);
  // The number is known only to the machine.
  static bool IsDynamic(const shader::Destination& target) {
    return target.is_relative && target.relative.type != shader::RegisterType::kLoop;
  }
  // Where it is not dynamic.
  int64_t NumberOf(const shader::Destination& target) const;
  bool IsPlain(const shader::Instruction& instruction) const;

  const shader::Program* program_;
  Emitter* emitter_;
  RegisterFile* registers_;
  const FlowCompiler* flow_;
  ShaderCode* code_;
};

}  // namespace dp2trace::fast
