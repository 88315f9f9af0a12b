// Adds operations to a program: literals, registers of a register file, and short-lived ones.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fast/machine/program.h"

namespace dp2trace::fast {

// The components of a vector register of a shader.
using Vector = std::array<Operand, 4>;

class Emitter {
 public:
  explicit Emitter(Program& program) : program_(&program) {}

  Program& program() { return *program_; }
  uint32_t size() const { return static_cast<uint32_t>(program_->instructions.size()); }

  Operand Literal(float value) { return program_->AddConstant(value); }
  // All bits set: the mask of all lanes.
  Operand AllOnes();
  // A constant whose value is set later, one for each call.
  uint32_t AddOpenConstant();

  // A register until the next Release().
  uint32_t Temp();
  // Four consecutive ones.
  uint32_t TempVector();
  void Release();

  void To(uint32_t to, Op op, Operand a, Operand b = {}, Operand c = {}, uint32_t data = 0) {
    program_->Add(op, to, a, b, c, data);
  }
  // The same to a register until the next Release().
  Operand New(Op op, Operand a, Operand b = {}, Operand c = {});
  void Copy(uint32_t to, Operand from);
  // The operand in a register, as operations that look at neighbours want it.
  Operand InRegister(Operand operand);
  // The first of three consecutive registers with these values; those that are given where they are that already.
  Operand Consecutive(const Vector& vector);

  // a[0]*b[0] + a[1]*b[1] + ... from left to right, over `count` components.
  Operand Dot(const Vector& a, const Vector& b, uint32_t count);

  // A jump whose target is the place where Land is called.
  uint32_t JumpIfNone(uint32_t mask);
  void Land(uint32_t jump) { program_->instructions[jump].data = size(); }

 private:
  struct Pool {
    std::vector<uint32_t> registers;
    size_t used = 0;
  };
  Program* program_;
  Pool temps_, vectors_;
};

}  // namespace dp2trace::fast
