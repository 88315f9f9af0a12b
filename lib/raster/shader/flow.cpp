#include "raster/shader/flow.h"

#include <algorithm>

#include "shader/limits.h"

namespace dp2trace::raster {
namespace {

using shader::Op;

}  // namespace

uint32_t FlowStack::Step(uint32_t index, uint32_t condition, const ConstantRegisters& constants,
                         ShaderRegisters& registers) {
  switch (program_->instructions[index].op()) {
    case Op::If:
    case Op::IfC:
      return EnterIf(index, condition);
    case Op::Else:
      return EnterElse(index);
    case Op::EndIf:
      if (IsTop(Kind::kIf)) active_ = frames_[--count_].outer;
      return index + 1;
    case Op::Loop:
    case Op::Rep:
      return EnterLoop(index, constants, registers);
    case Op::EndLoop:
    case Op::EndRep:
      return NextIteration(index, registers);
    case Op::Break:
    case Op::BreakC:
    case Op::BreakP:
      return Break(index, condition);
    case Op::Call:
    case Op::CallNz:
      return EnterCall(index, condition);
    case Op::Ret:
    case Op::Label:
      return Return(index);
    default:
      return index + 1;
  }
}

// Where too much is open at once the invocation ends, as with too many instructions.
bool FlowStack::Push(const Frame& frame) {
  if (count_ == kMaxFrames) {
    has_ended_ = true;
    return false;
  }
  frames_[count_++] = frame;
  return true;
}

uint32_t FlowStack::EnterIf(uint32_t index, uint32_t condition) {
  const uint32_t taken = active_ & condition;
  if (!Push({.kind = Kind::kIf, .outer = active_, .other = active_ & ~condition})) return index + 1;
  active_ = taken;
  return taken == 0 ? program_->instructions[index].target : index + 1;
}

uint32_t FlowStack::EnterElse(uint32_t index) {
  if (!IsTop(Kind::kIf)) return index + 1;
  active_ = frames_[count_ - 1].other;
  return active_ == 0 ? program_->instructions[index].target : index + 1;
}

// Unspecified: counts outside 0 to 255; chosen: the nearest.
uint32_t FlowStack::EnterLoop(uint32_t index, const ConstantRegisters& constants,
                              ShaderRegisters& registers) {
  const shader::Instruction& loop = program_->instructions[index];
  const bool has_counter = loop.op() == Op::Loop;
  const std::array<int32_t, 4> value = constants.Integer(loop.sources[has_counter ? 1 : 0].number);
  const int32_t count = std::clamp(value[0], 0, shader::kMaxIterations);
  if (count == 0 || active_ == 0) return loop.target + 1;
  Push({.kind = Kind::kLoop,
        .outer = active_,
        .other = active_,
        .index = index,
        .remaining = count,
        .has_counter = has_counter,
        .counter = value[1],
        .step = value[2]});
  UpdateCounter(registers);
  return index + 1;
}

uint32_t FlowStack::NextIteration(uint32_t index, ShaderRegisters& registers) {
  if (!IsTop(Kind::kLoop)) return index + 1;
  Frame& frame = frames_[count_ - 1];
  active_ = frame.other;
  frame.counter += frame.step;
  uint32_t next = frame.index + 1;
  if (--frame.remaining == 0 || active_ == 0) {
    active_ = frame.outer;
    --count_;
    next = index + 1;
  }
  UpdateCounter(registers);
  return next;
}

uint32_t FlowStack::Break(uint32_t index, uint32_t condition) {
  const uint32_t leaving = active_ & condition;
  for (size_t i = count_; i-- > 0 && frames_[i].kind != Kind::kCall;) {
    Frame& frame = frames_[i];
    if (frame.kind == Kind::kLoop) {
      frame.other &= ~leaving;
      break;
    }
    frame.outer &= ~leaving;
  }
  active_ &= ~leaving;
  return index + 1;
}

uint32_t FlowStack::EnterCall(uint32_t index, uint32_t condition) {
  const uint32_t taken = active_ & condition;
  if (taken == 0 || !Push({.kind = Kind::kCall, .outer = active_, .index = index + 1}))
    return index + 1;
  active_ = taken;
  return program_->instructions[index].target + 1;
}

// Lanes that return inside of blocks wait until the others have come to the end.
uint32_t FlowStack::Return(uint32_t index) {
  if (count_ == 0) {
    has_ended_ = true;
    return index;
  }
  if (IsTop(Kind::kCall)) {
    const Frame& frame = frames_[--count_];
    active_ = frame.outer;
    return frame.index;
  }
  for (size_t i = count_; i-- > 0 && frames_[i].kind != Kind::kCall;) {
    frames_[i].outer &= ~active_;
    if (frames_[i].kind == Kind::kLoop) frames_[i].other &= ~active_;
  }
  active_ = 0;
  return index + 1;
}

// Subroutines see the counter of the loop that they are called from.
void FlowStack::UpdateCounter(ShaderRegisters& registers) const {
  registers.loop_counter = 0;
  for (size_t i = count_; i-- > 0;) {
    if (frames_[i].kind != Kind::kLoop || !frames_[i].has_counter) continue;
    registers.loop_counter = frames_[i].counter;
    return;
  }
}

}  // namespace dp2trace::raster
