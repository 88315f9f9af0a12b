// The kernels of the operations, and what they work on while a program runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fast/machine/isa.h"
#include "fast/machine/native_code.h"
#include "fast/machine/program.h"

namespace dp2trace::fast {

class SamplerPlan;

// One run of a program over 64 lanes.
struct Frame {
  Block* registers = nullptr;  // Program::register_count of them
  const Constant* constants = nullptr;
  const SamplerPlan* const* samplers = nullptr;
  const std::array<float, 4>* reals = nullptr;  // constant registers for LoadReal
  uint32_t real_count = 0;
  const NativeCode* native = nullptr;
  uint64_t active = kAllLanes;  // lanes that matter: with helpers of their quads
  uint64_t killed = 0;
  uint32_t next = 0;  // instruction
};

// A number that an operand has in a lane.
inline float LaneOf(Operand operand, const Frame& frame, size_t lane) {
  return operand.is_constant() ? frame.constants[operand.number()].lanes[0]
                               : frame.registers[operand.number()].lanes[lane];
}

using Kernel = void (*)(const Instruction& instruction, Frame& frame);

// The first lanes, where the others do not matter: as many as the widest vector has.
inline constexpr size_t kFewLanes = 16;

struct KernelTable {
  using Kernels = std::array<Kernel, static_cast<size_t>(Op::kCount)>;
  Kernels kernels = {};
  Kernels few = {};  // the same; other lanes than the first kFewLanes may be left out
  Kernel& operator[](Op op) { return kernels[static_cast<size_t>(op)]; }
  void Set(Op op, Kernel all, Kernel first) {
    kernels[static_cast<size_t>(op)] = all;
    few[static_cast<size_t>(op)] = first;
  }

  void Run(const Program& program, Frame& frame) const {
    frame.constants = program.constants.data();
    RunWith(program, frame);
  }
  // Results for the first kFewLanes.
  void RunFew(const Program& program, Frame& frame) const {
    frame.constants = program.constants.data();
    RunFewWith(program, frame);
  }
  // The same with the constants of the frame.
  void RunWith(const Program& program, Frame& frame) const { Run(kernels, program, frame); }
  void RunFewWith(const Program& program, Frame& frame) const { Run(few, program, frame); }

 private:
  static void Run(const Kernels& kernels, const Program& program, Frame& frame) {
    frame.native = program.native.get();
    const std::vector<Instruction>& instructions =
        frame.native != nullptr ? frame.native->instructions() : program.instructions;
    const auto end = static_cast<uint32_t>(instructions.size());
    for (frame.next = 0; frame.next < end;) {
      const Instruction& instruction = instructions[frame.next++];
      kernels[static_cast<size_t>(instruction.op)](instruction, frame);
    }
  }
};

// All operations for an instruction set that the machine runs. Lives as long as the process.
const KernelTable& KernelsOf(const Isa& isa);

// Each fills in the rows of its file, for the target that Highway has chosen.
void AddArithmeticKernels(KernelTable& table);
void AddControlKernels(KernelTable& table);
void AddFunctionKernels(KernelTable& table);
void AddLookupKernels(KernelTable& table);
void AddSampleKernels(KernelTable& table);

// Runs `choose` while Highway's dynamic dispatch gives the target of this instruction set.
void WithTarget(const Isa& isa, void (*choose)(void*), void* argument);

}  // namespace dp2trace::fast
