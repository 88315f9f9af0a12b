#include "fast/native/pieces.h"

#include <algorithm>

#include "fast/machine/liveness.h"

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

}  // namespace

std::vector<Piece> FindPieces(const Program& program, std::span<const Operand> results) {
  const auto size = static_cast<uint32_t>(program.instructions.size());
  const std::vector<bool> is_target = TargetsOf(program);
  std::vector<Piece> pieces;
  for (uint32_t first = 0; first < size;) {
    uint32_t last = first;
    while (last < size && IsLaneByLane(program.instructions[last].op) &&
           (last == first || !is_target[last]))
      ++last;
    if (last - first >= kLeastLength) pieces.push_back({first, last, {}});
    first = std::max(last, first + 1);
  }
  auto piece = pieces.rbegin();
  Liveness(program, results).ForEach([&](uint32_t number, const std::vector<bool>& live) {
    if (piece != pieces.rend() && piece->last == number + 1) (piece++)->live = live;
    return true;
  });
  return pieces;
}

}  // namespace dp2trace::fast
