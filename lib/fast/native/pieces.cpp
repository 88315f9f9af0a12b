#include "fast/native/pieces.h"

#include <algorithm>
#include <map>

#include "fast/native/operands.h"

namespace dp2trace::fast {
namespace {

constexpr uint32_t kLeastLength = 2;  // a kernel does a single operation as well

bool IsLaneByLane(Op op) {
  switch (op) {
    case Op::kExp2:
    case Op::kExpMinus:
    case Op::kLog2:
    case Op::kPower:
    case Op::kSine:
    case Op::kCosine:
    case Op::kLoadReal:
    case Op::kExponent:
    case Op::kMantissa:
    case Op::kDerivativeX:
    case Op::kDerivativeY:
      return false;
    default:
      break;
  }
  switch (ShapeOf(op)) {
    case OpShape::kUnary:
    case OpShape::kBinary:
    case OpShape::kTernary:
    case OpShape::kTransform:
      return true;
    default:
      return false;
  }
}

bool IsJump(Op op) {
  return op == Op::kJump || op == Op::kJumpIfNone;
}

// Which registers are read later, going through a program from its end.
class Liveness {
 public:
  Liveness(const Program& program, std::span<const Operand> results)
      : program_(program), at_end_(program.register_count) {
    for (const Operand result : results) {
      if (!result.is_constant()) at_end_[result.number()] = true;
    }
    for (const Instruction& i : program.instructions) {
      if (IsJump(i.op)) at_target_.try_emplace(i.data, program.register_count);
    }
    at_target_.insert_or_assign(static_cast<uint32_t>(program.instructions.size()), at_end_);
  }

  // Sets Piece::live of each. What is live at the target of a jump backwards is known after another round.
  void Fill(std::vector<Piece>& pieces) {
    while (Walk(pieces)) {
    }
  }

 private:
  // True where something new is live at a target.
  bool Walk(std::vector<Piece>& pieces) {
    bool is_new = false;
    std::vector<bool> live = at_end_;
    auto piece = pieces.rbegin();
    for (auto number = static_cast<uint32_t>(program_.instructions.size()); number-- > 0;) {
      if (piece != pieces.rend() && piece->last == number + 1) (piece++)->live = live;
      const Instruction& i = program_.instructions[number];
      if (i.op == Op::kJump) live = at_target_.at(i.data);
      if (i.op == Op::kJumpIfNone) Join(at_target_.at(i.data), live);
      ForEachWrite(i, [&](uint32_t to) { live[to] = false; });
      ForEachRead(i, [&](Operand read) {
        if (!read.is_constant()) live[read.number()] = true;
      });
      const auto target = at_target_.find(number);
      if (target != at_target_.end() && target->second != live) {
        target->second = live;
        is_new = true;
      }
    }
    return is_new;
  }
  static void Join(const std::vector<bool>& from, std::vector<bool>& to) {
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = to[i] || from[i];
  }

  const Program& program_;
  std::vector<bool> at_end_;
  std::map<uint32_t, std::vector<bool>> at_target_;  // by instruction
};

}  // namespace

std::vector<Piece> FindPieces(const Program& program, std::span<const Operand> results) {
  const auto size = static_cast<uint32_t>(program.instructions.size());
  std::vector<bool> is_target(size + 1);
  for (const Instruction& i : program.instructions) {
    if (IsJump(i.op)) is_target[i.data] = true;
  }
  std::vector<Piece> pieces;
  for (uint32_t first = 0; first < size;) {
    uint32_t last = first;
    while (last < size && IsLaneByLane(program.instructions[last].op) &&
           (last == first || !is_target[last]))
      ++last;
    if (last - first >= kLeastLength) pieces.push_back({first, last, {}});
    first = std::max(last, first + 1);
  }
  Liveness(program, results).Fill(pieces);
  return pieces;
}

}  // namespace dp2trace::fast
