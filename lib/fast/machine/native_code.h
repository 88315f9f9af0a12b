// A program whose operations that go lane by lane are machine code of its own (lib/fast/native): numbers stay in the machine's registers from
// one operation to the next, where kernels go through memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fast/machine/program.h"
#include "os/executable_memory.h"

namespace dp2trace::fast {

// The calling convention of all machine code that is made here.
#if defined(__x86_64__)
#define DP2TRACE_NATIVE_CALL __attribute__((sysv_abi))
#else
#define DP2TRACE_NATIVE_CALL
#endif
// The sanitizer looks for the type of a function in front of its code.
#if defined(__clang__)
#define DP2TRACE_NATIVE_CALLER __attribute__((no_sanitize("function")))
#else
#define DP2TRACE_NATIVE_CALLER
#endif

class NativeCode {
 public:
  // `instructions`: those of the program with Op::kNative in place of a piece; `offsets`: where the code of each piece begins.
  NativeCode(std::vector<Instruction> instructions, std::vector<size_t> offsets,
             std::unique_ptr<ExecutableMemory> memory)
      : instructions_(std::move(instructions)),
        offsets_(std::move(offsets)),
        memory_(std::move(memory)) {}

  const std::vector<Instruction>& instructions() const { return instructions_; }
  std::span<const uint8_t> bytes() const { return memory_->bytes(); }
  // The first lanes of a run, a multiple of 16.
  DP2TRACE_NATIVE_CALLER void Run(uint32_t piece, Block* registers, const Constant* constants,
                                  size_t lanes) const {
    using Function = void(DP2TRACE_NATIVE_CALL*)(Block*, const Constant*, size_t size_bytes);
    const auto function = reinterpret_cast<Function>(
        reinterpret_cast<uintptr_t>(memory_->bytes().data() + offsets_[piece]));
    function(registers, constants, lanes * sizeof(float));
  }

 private:
  std::vector<Instruction> instructions_;
  std::vector<size_t> offsets_;
  std::unique_ptr<ExecutableMemory> memory_;
};

}  // namespace dp2trace::fast
