#include "shader/program.h"

namespace dp2trace::shader {

uint8_t Instruction::result_mask() const {
  uint8_t possible = kFullMask;
  if (info->matrix_rows != 0) possible = static_cast<uint8_t>((1U << info->matrix_rows) - 1);
  if (op() == Op::Crs) possible = 0x7;
  if (op() == Op::SinCos) possible = 0x3;
  return static_cast<uint8_t>(destination.mask & possible);
}

const Declaration* Program::FindDeclaration(RegisterType type, uint32_t number,
                                            uint8_t mask) const {
  for (const Declaration& declaration : declarations) {
    if (declaration.type == type && declaration.number == number && (declaration.mask & mask) != 0)
      return &declaration;
  }
  return nullptr;
}

uint8_t Program::WrittenMask(RegisterType type, uint32_t number) const {
  uint8_t mask = 0;
  for (const Instruction& instruction : instructions) {
    const bool writes = instruction.has_destination &&
                        instruction.info->kind != OpKind::kDeclaration &&
                        instruction.op() != Op::TexKill;
    const Destination& target = instruction.destination;
    if (writes && target.type == type && (target.number == number || target.is_relative)) {
      mask = static_cast<uint8_t>(mask | instruction.result_mask());
    }
  }
  return mask;
}

uint64_t MemorySize(const Program& program) {
  const uint64_t constants =
      program.floats.size() + program.integers.size() + program.booleans.size();
  return program.instructions.size() * sizeof(Instruction) +
         program.declarations.size() * sizeof(Declaration) + constants * sizeof(Constant);
}

}  // namespace dp2trace::shader
