// Flow control over the lanes of a quad: which of them execute, and where execution goes on.
// Source: lib/raster/rendering.md 0.5 (lanes that diverge) and 8.6.
#pragma once

#include <array>
#include <cstdint>

#include "raster/shader/registers.h"
#include "shader/program.h"

namespace dp2trace::raster {

class FlowStack {
 public:
  // `lanes`: those that execute at first.
  FlowStack(const shader::Program& program, uint32_t lanes) : program_(&program), active_(lanes) {}

  uint32_t active() const { return active_; }
  bool has_ended() const { return has_ended_; }

  // Executes a flow instruction; `condition`: the lanes for which it holds. Returns the index of the next instruction.
  uint32_t Step(uint32_t index, uint32_t condition, const ConstantRegisters& constants,
                ShaderRegisters& registers);
  // The code has run past its last instruction: as Ret. Returns the index of the next instruction.
  uint32_t RunPastEnd(uint32_t index) { return Return(index); }

 private:
  enum class Kind : uint8_t { kIf, kLoop, kCall };
  struct Frame {
    Kind kind = Kind::kIf;
    uint32_t outer = 0;     // lanes that go on after the block
    uint32_t other = 0;     // kIf: lanes of Else; kLoop: lanes that have not left the loop
    uint32_t index = 0;     // kLoop: the loop instruction; kCall: where to go on
    int64_t remaining = 0;  // kLoop: iterations, the current one included
    bool has_counter = false;
    int64_t counter = 0, step = 0;
  };
  // Loops, conditions and calls that are open at once: 24 static, 24 dynamic, 4 loops, 4 calls, and some more.
  static constexpr size_t kMaxFrames = 64;

  bool Push(const Frame& frame);
  uint32_t EnterIf(uint32_t index, uint32_t condition);
  uint32_t EnterElse(uint32_t index);
  uint32_t EnterLoop(uint32_t index, const ConstantRegisters& constants,
                     ShaderRegisters& registers);
  uint32_t NextIteration(uint32_t index, ShaderRegisters& registers);
  uint32_t Break(uint32_t index, uint32_t condition);
  uint32_t EnterCall(uint32_t index, uint32_t condition);
  uint32_t Return(uint32_t index);
  void UpdateCounter(ShaderRegisters& registers) const;
  bool IsTop(Kind kind) const { return count_ > 0 && frames_[count_ - 1].kind == kind; }

  const shader::Program* program_;
  uint32_t active_;
  bool has_ended_ = false;
  std::array<Frame, kMaxFrames> frames_;
  size_t count_ = 0;
};

}  // namespace dp2trace::raster
