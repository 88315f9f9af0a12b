#include "fast/shader/flow.h"

#include <algorithm>
#include <utility>

#include "shader/limits.h"

namespace dp2trace::fast {
namespace {

using Code = shader::Op;

constexpr size_t kMaxFrames = 64;

}  // namespace

LaneMask FlowCompiler::Both(const LaneMask& a, const LaneMask& b) {
  if (a.is_none() || b.is_none()) return LaneMask::None();
  if (a.is_all()) return b.is_all() ? b : Copied(b);
  if (b.is_all()) return a;
  const uint32_t to = emitter_->program().AddRegister();
  emitter_->To(to, Op::kAnd, Operand::Register(a.mask), Operand::Register(b.mask));
  return LaneMask::Some(to);
}

LaneMask FlowCompiler::Without(const LaneMask& a, const LaneMask& b) {
  if (a.is_none() || b.is_all()) return LaneMask::None();
  if (b.is_none()) return a;
  LaneMask result = Copied(a);
  Remove(result, b);
  return result;
}

LaneMask FlowCompiler::Copied(const LaneMask& mask) {
  if (mask.is_none()) return mask;
  const uint32_t to = emitter_->program().AddRegister();
  emitter_->To(to, Op::kMove, mask.is_all() ? emitter_->AllOnes() : Operand::Register(mask.mask));
  return LaneMask::Some(to);
}

void FlowCompiler::Remove(LaneMask& mask, const LaneMask& lanes) {
  if (mask.is_none() || lanes.is_none()) return;
  if (lanes.is_all()) {
    mask = LaneMask::None();
    return;
  }
  if (mask.is_all()) mask = Copied(mask);
  emitter_->To(mask.mask, Op::kAndNot, Operand::Register(lanes.mask), Operand::Register(mask.mask));
}

bool FlowCompiler::Push(Frame frame) {
  if (frames_.size() == kMaxFrames) {
    has_failed_ = true;
    has_ended_ = true;
    return false;
  }
  frames_.push_back(std::move(frame));
  return true;
}

void FlowCompiler::Land(Frame& frame) {
  for (const uint32_t jump : frame.jumps)
    emitter_->Land(jump);
  frame.jumps.clear();
}

void FlowCompiler::Pop() {
  Land(frames_.back());
  active_ = frames_.back().outer;
  frames_.pop_back();
}

void FlowCompiler::SkipUnless(const LaneMask& mask, Frame& frame) {
  if (mask.kind == LaneMask::Kind::kSome) frame.jumps.push_back(emitter_->JumpIfNone(mask.mask));
}

uint32_t FlowCompiler::BlockEnd(uint32_t index) const {
  const auto& instructions = program_->instructions;
  while (instructions[index].target != shader::kNoTarget &&
         instructions[index].op() != Code::EndIf && instructions[index].target > index)
    index = instructions[index].target;
  return index;
}

bool FlowCompiler::MayLeave(uint32_t first, uint32_t last) const {
  for (uint32_t i = first; i < last && i < program_->instructions.size(); ++i) {
    switch (program_->instructions[i].op()) {
      case Code::Break:
      case Code::BreakC:
      case Code::BreakP:
      case Code::Ret:
        return true;
      default:
        break;
    }
  }
  return false;
}

uint32_t FlowCompiler::Step(uint32_t index, const LaneMask& condition) {
  switch (program_->instructions[index].op()) {
    case Code::If:
    case Code::IfC:
      return EnterIf(index, condition);
    case Code::Else:
      return EnterElse(index);
    case Code::EndIf:
      if (IsTop(FrameKind::kIf)) Pop();
      return index + 1;
    case Code::Loop:
    case Code::Rep:
      return EnterLoop(index);
    case Code::EndLoop:
    case Code::EndRep:
      return NextIteration(index);
    case Code::Break:
    case Code::BreakC:
    case Code::BreakP:
      return Break(index, condition);
    case Code::Call:
    case Code::CallNz:
      return EnterCall(index, condition);
    case Code::Ret:
    case Code::Label:
      return Return(index);
    default:
      return index + 1;
  }
}

uint32_t FlowCompiler::EnterIf(uint32_t index, const LaneMask& condition) {
  const bool may_leave = MayLeave(index, BlockEnd(index));
  Frame frame;
  frame.kind = FrameKind::kIf;
  frame.outer = may_leave ? Copied(active_) : active_;
  const LaneMask taken = Both(active_, condition);
  frame.other = Without(active_, condition);
  active_ = taken;
  SkipUnless(taken, frame);
  if (!Push(std::move(frame))) return index + 1;
  return taken.is_none() ? program_->instructions[index].target : index + 1;
}

uint32_t FlowCompiler::EnterElse(uint32_t index) {
  if (!IsTop(FrameKind::kIf)) return index + 1;
  Frame& frame = frames_.back();
  Land(frame);
  active_ = frame.other;
  SkipUnless(active_, frame);
  return active_.is_none() ? program_->instructions[index].target : index + 1;
}

uint32_t FlowCompiler::EnterLoop(uint32_t index) {
  const shader::Instruction& loop = program_->instructions[index];
  const bool has_counter = loop.op() == Code::Loop;
  const std::array<int32_t, 4> value =
      constants_->Integer(loop.sources[has_counter ? 1 : 0].number);
  const int32_t count = std::clamp(value[0], 0, shader::kMaxIterations);
  if (count == 0 || active_.is_none()) return loop.target + 1;
  const bool may_leave = MayLeave(index, loop.target);
  Frame frame;
  frame.kind = FrameKind::kLoop;
  frame.outer = may_leave ? Copied(active_) : active_;
  frame.other = may_leave ? Copied(active_) : active_;
  frame.index = index;
  frame.remaining = count;
  frame.has_counter = has_counter;
  frame.counter = value[1];
  frame.step = value[2];
  Push(std::move(frame));
  return index + 1;
}

uint32_t FlowCompiler::NextIteration(uint32_t index) {
  if (!IsTop(FrameKind::kLoop)) return index + 1;
  Frame& frame = frames_.back();
  frame.counter += frame.step;
  if (--frame.remaining == 0 || frame.other.is_none()) {
    Pop();
    return index + 1;
  }
  const bool may_leave = MayLeave(frame.index, index);
  active_ = may_leave ? Copied(frame.other) : frame.other;
  if (may_leave) SkipUnless(active_, frame);
  return frame.index + 1;
}

uint32_t FlowCompiler::Break(uint32_t index, const LaneMask& condition) {
  const LaneMask leaving = Both(active_, condition);
  for (size_t i = frames_.size(); i-- > 0 && frames_[i].kind != FrameKind::kCall;) {
    if (frames_[i].kind == FrameKind::kLoop) {
      Remove(frames_[i].other, leaving);
      break;
    }
    Remove(frames_[i].outer, leaving);
  }
  active_ = condition.is_all() ? LaneMask::None() : Without(active_, leaving);
  return index + 1;
}

uint32_t FlowCompiler::EnterCall(uint32_t index, const LaneMask& condition) {
  const LaneMask taken = Both(active_, condition);
  if (taken.is_none()) return index + 1;
  Frame frame;
  frame.kind = FrameKind::kCall;
  frame.outer = active_;
  frame.index = index + 1;
  if (!condition.is_all()) SkipUnless(taken, frame);
  if (!Push(std::move(frame))) return index + 1;
  if (!condition.is_all()) active_ = taken;
  return program_->instructions[index].target + 1;
}

uint32_t FlowCompiler::Return(uint32_t index) {
  if (frames_.empty()) {
    has_ended_ = true;
    return index;
  }
  if (IsTop(FrameKind::kCall)) {
    const uint32_t next = frames_.back().index;
    Pop();
    return next;
  }
  for (size_t i = frames_.size(); i-- > 0 && frames_[i].kind != FrameKind::kCall;) {
    Remove(frames_[i].outer, active_);
    if (frames_[i].kind == FrameKind::kLoop) Remove(frames_[i].other, active_);
  }
  active_ = LaneMask::None();
  return index + 1;
}

int64_t FlowCompiler::loop_counter() const {
  for (size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].kind == FrameKind::kLoop && frames_[i].has_counter) return frames_[i].counter;
  }
  return 0;
}

}  // namespace dp2trace::fast
