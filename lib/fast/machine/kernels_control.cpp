// Jumps, kills, and machine code.
#include "fast/machine/kernels.h"

namespace dp2trace::fast {
namespace {

// Bit l: lane l of the mask register is set.
uint64_t BitsOf(const Block& mask) {
  uint64_t bits = 0;
  for (size_t lane = 0; lane < kLanes; ++lane)
    bits |= uint64_t{mask.words()[lane] >> 31} << lane;
  return bits;
}

void Jump(const Instruction& i, Frame& frame) {
  frame.next = i.data;
}
void JumpIfNone(const Instruction& i, Frame& frame) {
  if ((BitsOf(frame.registers[i.a.number()]) & frame.active) == 0) frame.next = i.data;
}
void Kill(const Instruction& i, Frame& frame) {
  frame.killed |= BitsOf(frame.registers[i.a.number()]);
}

void Native(const Instruction& i, Frame& frame) {
  frame.native->Run(i.data, frame.registers, frame.constants, kLanes);
}
void NativeFew(const Instruction& i, Frame& frame) {
  frame.native->Run(i.data, frame.registers, frame.constants, kFewLanes);
}

}  // namespace

void AddControlKernels(KernelTable& table) {
  table.Set(Op::kNative, Native, NativeFew);
  table[Op::kJump] = Jump;
  table[Op::kJumpIfNone] = JumpIfNone;
  table[Op::kKill] = Kill;
}

}  // namespace dp2trace::fast
