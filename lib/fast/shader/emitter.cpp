#include "fast/shader/emitter.h"

#include <bit>

namespace dp2trace::fast {

Operand Emitter::AllOnes() {
  return Literal(std::bit_cast<float>(0xFFFFFFFFU));
}

uint32_t Emitter::AddOpenConstant() {
  // Not the same in all lanes, so that AddConstant does not find it.
  program_->constants.emplace_back().lanes.fill(1.0F);
  program_->constants.back().lanes[0] = 0.0F;
  return static_cast<uint32_t>(program_->constants.size() - 1);
}

uint32_t Emitter::Temp() {
  if (temps_.used == temps_.registers.size()) temps_.registers.push_back(program_->AddRegister());
  return temps_.registers[temps_.used++];
}

uint32_t Emitter::TempVector() {
  if (vectors_.used == vectors_.registers.size())
    vectors_.registers.push_back(program_->AddRegisters(4));
  return vectors_.registers[vectors_.used++];
}

void Emitter::Release() {
  temps_.used = 0;
  vectors_.used = 0;
}

Operand Emitter::New(Op op, Operand a, Operand b, Operand c) {
  const uint32_t to = Temp();
  To(to, op, a, b, c);
  return Operand::Register(to);
}

void Emitter::Copy(uint32_t to, Operand from) {
  if (from != Operand::Register(to)) To(to, Op::kMove, from);
}

Operand Emitter::InRegister(Operand operand) {
  return operand.is_constant() ? New(Op::kMove, operand) : operand;
}

Operand Emitter::Consecutive(const Vector& vector) {
  const bool is_consecutive = !vector[0].is_constant() &&
                              vector[1] == Operand::Register(vector[0].number() + 1) &&
                              vector[2] == Operand::Register(vector[0].number() + 2);
  if (is_consecutive) return vector[0];
  const uint32_t first = TempVector();
  for (uint32_t i = 0; i < 3; ++i)
    Copy(first + i, vector[i]);
  return Operand::Register(first);
}

Operand Emitter::Dot(const Vector& a, const Vector& b, uint32_t count) {
  const uint32_t sum = Temp();
  To(sum, Op::kMultiply, a[0], b[0]);
  for (uint32_t i = 1; i < count; ++i)
    To(sum, Op::kMultiplyAdd, a[i], b[i], Operand::Register(sum));
  return Operand::Register(sum);
}

uint32_t Emitter::JumpIfNone(uint32_t mask) {
  program_->Add(Op::kJumpIfNone, 0, Operand::Register(mask));
  return size() - 1;
}

}  // namespace dp2trace::fast
