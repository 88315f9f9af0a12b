// Programs of all operations, for tests that compare ways to run them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

#include "fast/machine/program.h"

namespace dp2trace::fast {

inline constexpr uint32_t kRegisters = 24;
inline constexpr uint32_t kConstants = 20;

inline constexpr Op kOfTwoMasks[] = {Op::kAnd, Op::kOr, Op::kXor, Op::kAndNot};

// Their results depend on the bits of NaNs, which no program looks at.
inline bool IsOfMasks(Op op) {
  return op == Op::kSelect || std::ranges::find(kOfTwoMasks, op) != std::end(kOfTwoMasks);
}

inline std::vector<Op> LaneOperations() {
  std::vector<Op> operations;
  for (uint32_t op = 0; op < static_cast<uint32_t>(Op::kCount); ++op) {
    switch (ShapeOf(static_cast<Op>(op))) {
      case OpShape::kUnary:
      case OpShape::kBinary:
      case OpShape::kTernary:
        if (!IsOfMasks(static_cast<Op>(op)) && static_cast<Op>(op) != Op::kLoadReal)
          operations.push_back(static_cast<Op>(op));
        break;
      default:
        break;
    }
  }
  return operations;
}

inline float RandomNumber(std::mt19937& random) {
  constexpr float kSpecial[] = {0.0F,
                                -0.0F,
                                1.0F,
                                0x1p-149F,
                                std::numeric_limits<float>::max(),
                                std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
  const auto choice = static_cast<uint32_t>(random() % 40);
  return choice < std::size(kSpecial) ? kSpecial[choice]
                                      : (static_cast<float>(random() % 4096) - 2048.0F) / 97.0F;
}

// Operations in any order over few registers, with jumps forward.
inline Program RandomProgram(std::mt19937& random) {
  static const std::vector<Op> operations = LaneOperations();
  Program program;
  program.register_count = kRegisters;
  for (uint32_t i = 0; i < kConstants; ++i)
    program.constants.emplace_back().lanes.fill(RandomNumber(random));
  const auto reg = [&] { return static_cast<uint32_t>(random() % kRegisters); };
  const auto operand = [&] {
    return random() % 4 == 0 ? Operand::OfConstant(static_cast<uint32_t>(random() % kConstants))
                             : Operand::Register(reg());
  };
  const size_t size = 1 + random() % 120;
  std::vector<uint32_t> jumps;
  std::vector<uint32_t> targets;  // none between a mask and its use
  while (program.instructions.size() < size) {
    targets.push_back(static_cast<uint32_t>(program.instructions.size()));
    switch (random() % 24) {
      case 0: {  // a choice, whose mask a comparison makes
        const uint32_t mask = reg();
        const uint32_t other = (mask + 1) % kRegisters;
        program.Add(Op::kIsLess, mask, operand(), operand());
        program.Add(Op::kIsNotEqual, other, operand(), operand());
        program.Add(kOfTwoMasks[random() % std::size(kOfTwoMasks)], mask, Operand::Register(mask),
                    Operand::Register(other));
        program.Add(Op::kSelect, reg(), Operand::Register(mask), operand(), operand());
        break;
      }
      case 1:
        program.Add(Op::kMove, reg(), operand());
        break;
      case 2:
        program.Add(Op::kTransform, 20, Operand::Register(static_cast<uint32_t>(random() % 16)),
                    Operand::OfConstant(static_cast<uint32_t>(random() % 4)));
        break;
      case 3: {
        const uint32_t mask = reg();
        program.Add(Op::kIsLess, mask, operand(), operand());
        jumps.push_back(static_cast<uint32_t>(program.instructions.size()));
        program.Add(Op::kJumpIfNone, 0, Operand::Register(mask));
        break;
      }
      default:
        program.Add(operations[random() % operations.size()], reg(), operand(), operand(),
                    operand());
        // Operations that look at neighbours take no constants.
        if (program.instructions.back().op == Op::kDerivativeX ||
            program.instructions.back().op == Op::kDerivativeY)
          program.instructions.back().a = Operand::Register(reg());
        break;
    }
  }
  targets.push_back(static_cast<uint32_t>(program.instructions.size()));
  for (const uint32_t jump : jumps) {
    const auto first = std::ranges::upper_bound(targets, jump);
    const auto count = static_cast<uint32_t>(targets.end() - first);
    program.instructions[jump].data = first[static_cast<std::ptrdiff_t>(random() % count)];
  }
  return program;
}

inline std::vector<Block> RandomRegisters(std::mt19937& random) {
  std::vector<Block> registers(kRegisters);
  for (Block& block : registers) {
    for (float& lane : block.lanes)
      lane = RandomNumber(random);
  }
  return registers;
}

// Payloads and signs of generated NaNs differ between machines (lib/raster/rendering.md 0.3).
inline bool AreSame(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

}  // namespace dp2trace::fast
