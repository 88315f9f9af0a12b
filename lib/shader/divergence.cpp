#include "shader/divergence.h"

#include <utility>

#include "shader/check.h"

namespace dp2trace::shader {
namespace {

// Facts about registers and about loops that legal code can need, one a pass; hostile code ends here with what has been found.
constexpr uint32_t kMaxPasses = 160;

// Passes over the code until nothing changes: facts are only ever added.
class DivergenceFinder {
 public:
  explicit DivergenceFinder(const Program& program)
      : program_(&program), spreads_(program.instructions.size()) {
    result_.is_divergent.resize(program.instructions.size());
  }

  Divergence Run() {
    for (uint32_t pass = 0; pass < kMaxPasses && has_changed_; ++pass) {
      has_changed_ = false;
      open_.clear();
      is_divergent_ = false;
      for (uint32_t i = 0; i < program_->instructions.size(); ++i)
        Visit(i);
    }
    return std::move(result_);
  }

 private:
  struct Block {
    uint32_t index = 0;  // of If or Loop
    bool is_loop = false;
    bool outer = false;  // whether the code around it is divergent
  };

  void Visit(uint32_t index) {
    const Instruction& instruction = program_->instructions[index];
    const bool varies = is_divergent_ || HasVaryingCondition(instruction);
    switch (instruction.op()) {
      case Op::If:
      case Op::IfC:
        Open(index, false, varies);
        break;
      case Op::Loop:
      case Op::Rep:
        Open(index, true, is_divergent_ || spreads_[index]);
        break;
      case Op::EndIf:
      case Op::EndLoop:
      case Op::EndRep:
        Close();
        break;
      case Op::Break:
      case Op::BreakC:
      case Op::BreakP:
        if (varies) SpreadToLoop();
        break;
      case Op::Call:
      case Op::CallNz:
        if (varies && instruction.target != kNoTarget) Spread(instruction.target);
        break;
      case Op::Label:
        open_.clear();
        is_divergent_ = spreads_[index];
        break;
      default:
        RecordWrite(instruction);
        break;
    }
    result_.is_divergent[index] = is_divergent_;
  }

  void Open(uint32_t index, bool is_loop, bool is_divergent) {
    open_.push_back({index, is_loop, is_divergent_});
    is_divergent_ = is_divergent;
  }

  void Close() {
    if (open_.empty()) return;
    is_divergent_ = open_.back().outer;
    open_.pop_back();
  }

  // After a break that only some pixels take, the rest of the loop and its next iterations run for the others.
  void SpreadToLoop() {
    for (size_t i = open_.size(); i-- > 0;) {
      if (open_[i].is_loop) return Spread(open_[i].index);
    }
  }

  void Spread(uint32_t index) {
    if (spreads_[index]) return;
    spreads_[index] = true;
    has_changed_ = true;
  }

  bool HasVaryingCondition(const Instruction& instruction) const {
    if (instruction.info->kind != OpKind::kFlow) return false;
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      if (IsVarying(instruction, i)) return true;
    }
    return false;
  }

  bool IsVarying(const Instruction& instruction, uint32_t index) const {
    const Source& source = instruction.sources[index];
    switch (source.type) {
      case RegisterType::kInput:
      case RegisterType::kTexture:
        return true;
      case RegisterType::kMisc:
        return source.number != kFaceIn;
      case RegisterType::kPredicate:
        return is_predicate_varying_;
      case RegisterType::kTemp:
        break;
      default:
        return false;
    }
    const uint8_t mask = ReadMask(*program_, instruction, index);
    const uint32_t rows =
        instruction.info->matrix_rows != 0 && index == 1 ? instruction.info->matrix_rows : 1;
    for (uint32_t number = source.number;
         number < source.number + rows && number < result_.varying_temps.size(); ++number) {
      if ((result_.varying_temps[number] & mask) != 0) return true;
    }
    return false;
  }

  void RecordWrite(const Instruction& instruction) {
    if (!instruction.has_destination || instruction.op() == Op::TexKill) return;
    bool varies = is_divergent_ || (instruction.is_predicated && is_predicate_varying_);
    for (uint32_t i = 0; i < instruction.source_count; ++i)
      varies = varies || IsVarying(instruction, i);
    if (!varies) return;
    const Destination& target = instruction.destination;
    if (target.type == RegisterType::kPredicate && !is_predicate_varying_)
      is_predicate_varying_ = has_changed_ = true;
    if (target.type != RegisterType::kTemp || target.number >= result_.varying_temps.size()) return;
    uint8_t& varying = result_.varying_temps[target.number];
    if ((target.mask & ~varying) == 0) return;
    varying = static_cast<uint8_t>(varying | target.mask);
    has_changed_ = true;
  }

  const Program* program_;
  Divergence result_;
  std::vector<bool> spreads_;  // of loops and labels: some pixels may have left, or not have come
  std::vector<Block> open_;
  bool is_divergent_ = false;
  bool is_predicate_varying_ = false;
  bool has_changed_ = true;
};

}  // namespace

Divergence FindDivergence(const Program& program) {
  return DivergenceFinder(program).Run();
}

}  // namespace dp2trace::shader
