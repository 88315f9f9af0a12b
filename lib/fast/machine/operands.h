// Registers that an instruction reads and writes, in words of its shape.
#pragma once

#include <cstdint>

#include "fast/machine/program.h"

namespace dp2trace::fast {

// Calls visit(operand), constants among them. What a piece of machine code reads is not known here.
template <class Visit>
void ForEachRead(const Instruction& i, const Visit& visit) {
  const auto registers = [&](Operand first, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k)
      visit(Operand::Register(first.number() + k));
  };
  switch (ShapeOf(i.op)) {
    case OpShape::kUnary:
    case OpShape::kMask:
      visit(i.a);
      break;
    case OpShape::kBinary:
      visit(i.a);
      visit(i.b);
      break;
    case OpShape::kTernary:
      visit(i.a);
      visit(i.b);
      visit(i.c);
      break;
    case OpShape::kTransform:
      registers(i.a, 4);
      break;
    case OpShape::kSampleGradients:
      registers(i.a, 3);
      registers(i.b, 3);
      registers(i.c, 3);
      break;
    case OpShape::kSampleBias:
    case OpShape::kSampleLevel:
      registers(i.a, 3);
      visit(i.b);
      break;
    case OpShape::kSample:
      registers(i.a, 3);
      break;
    case OpShape::kJump:
    case OpShape::kNative:
      break;
  }
}

// Calls visit(number of the register).
template <class Visit>
void ForEachWrite(const Instruction& i, const Visit& visit) {
  uint32_t count = 1;
  switch (ShapeOf(i.op)) {
    case OpShape::kUnary:
    case OpShape::kBinary:
    case OpShape::kTernary:
      break;
    case OpShape::kTransform:
    case OpShape::kSample:
    case OpShape::kSampleBias:
    case OpShape::kSampleLevel:
    case OpShape::kSampleGradients:
      count = 4;
      break;
    case OpShape::kJump:
    case OpShape::kMask:
    case OpShape::kNative:
      count = 0;
      break;
  }
  for (uint32_t k = 0; k < count; ++k)
    visit(i.to + k);
}

}  // namespace dp2trace::fast
