// Flow control at compile time: loops are unrolled, calls inlined, and what depends on lanes becomes masks.
// The steps are those of raster::FlowStack, with masks of 64 lanes that are known at run time only.
// Source: lib/raster/rendering-shaders.md 8.6.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fast/shader/emitter.h"
#include "raster/shader/constants.h"
#include "shader/program.h"

namespace dp2trace::fast {

// Lanes: all, none, or those of a mask register.
struct LaneMask {
  enum class Kind : uint8_t { kAll, kNone, kSome };
  Kind kind = Kind::kAll;
  uint32_t mask = 0;  // register

  bool is_all() const { return kind == Kind::kAll; }
  bool is_none() const { return kind == Kind::kNone; }
  static LaneMask All() { return {}; }
  static LaneMask None() { return {.kind = Kind::kNone}; }
  static LaneMask Some(uint32_t mask) { return {.kind = Kind::kSome, .mask = mask}; }
};

class FlowCompiler {
 public:
  FlowCompiler(const shader::Program& program, const raster::ConstantRegisters& constants,
               Emitter& emitter)
      : program_(&program), constants_(&constants), emitter_(&emitter) {}

  const LaneMask& active() const { return active_; }
  bool has_ended() const { return has_ended_; }
  // More is open at once than the interpreter allows.
  bool has_failed() const { return has_failed_; }
  int64_t loop_counter() const;

  // Flow instruction `index`; `condition`: the lanes for which it holds, a register that lives until the next Release().
  // Returns the index of the next instruction.
  uint32_t Step(uint32_t index, const LaneMask& condition);
  uint32_t RunPastEnd(uint32_t index) { return Return(index); }

 private:
  enum class FrameKind : uint8_t { kIf, kLoop, kCall };
  struct Frame {
    FrameKind kind = FrameKind::kIf;
    LaneMask outer, other;  // as in raster::FlowStack
    uint32_t index = 0;
    int64_t remaining = 0;
    bool has_counter = false;
    int64_t counter = 0, step = 0;
    std::vector<uint32_t> jumps;  // land past the part that they skip
  };

  bool Push(Frame frame);
  void Pop();
  void Land(Frame& frame);
  void SkipUnless(const LaneMask& mask, Frame& frame);
  uint32_t EnterIf(uint32_t index, const LaneMask& condition);
  uint32_t EnterElse(uint32_t index);
  uint32_t EnterLoop(uint32_t index);
  uint32_t NextIteration(uint32_t index);
  uint32_t Break(uint32_t index, const LaneMask& condition);
  uint32_t EnterCall(uint32_t index, const LaneMask& condition);
  uint32_t Return(uint32_t index);
  bool IsTop(FrameKind kind) const { return !frames_.empty() && frames_.back().kind == kind; }
  // Whether lanes may leave between two instructions, so that masks of the blocks around them change.
  bool MayLeave(uint32_t first, uint32_t last) const;
  uint32_t BlockEnd(uint32_t index) const;

  // Registers of active masks are not changed; those of frames are, where lanes may leave, and are copies then.
  LaneMask Both(const LaneMask& a, const LaneMask& b);
  LaneMask Without(const LaneMask& a, const LaneMask& b);
  LaneMask Copied(const LaneMask& mask);
  // Takes lanes away in place: where the code is skipped the mask stays.
  void Remove(LaneMask& mask, const LaneMask& lanes);

  const shader::Program* program_;
  const raster::ConstantRegisters* constants_;
  Emitter* emitter_;
  LaneMask active_;
  bool has_ended_ = false, has_failed_ = false;
  std::vector<Frame> frames_;
};

}  // namespace dp2trace::fast
