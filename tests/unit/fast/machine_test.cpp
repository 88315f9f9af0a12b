#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "fast/machine/isa.h"
#include "fast/machine/kernels.h"
#include "random_program.h"
#include "raster/math.h"

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;  // NOLINT(google-build-using-namespace): test file

namespace {

struct Expected {
  Op op;
  std::function<float(float, float, float)> function;
};

const std::vector<Expected>& ExpectedOperations() {
  static const std::vector<Expected> operations = {
      {Op::kMove, [](float a, float, float) { return a; }},
      {Op::kAdd, [](float a, float b, float) { return a + b; }},
      {Op::kSubtract, [](float a, float b, float) { return a - b; }},
      {Op::kMultiply, [](float a, float b, float) { return a * b; }},
      {Op::kDivide, [](float a, float b, float) { return a / b; }},
      {Op::kMin, [](float a, float b, float) { return a < b ? a : b; }},
      {Op::kMax, [](float a, float b, float) { return a > b ? a : b; }},
      {Op::kClamp,
       [](float a, float b, float c) {
         const float least = a > b ? a : b;
         return least < c ? least : c;
       }},
      {Op::kSaturate, [](float a, float, float) { return raster::Saturate(a); }},
      {Op::kMultiplyAdd, [](float a, float b, float c) { return a * b + c; }},
      {Op::kMultiplySubtract, [](float a, float b, float c) { return a * b - c; }},
      {Op::kBlend, [](float a, float b, float c) { return a * c + b * (1.0F - c); }},
      {Op::kLerp, [](float a, float b, float c) { return a * (b - c) + c; }},
      {Op::kComplement, [](float a, float, float) { return 1.0F - a; }},
      {Op::kFloor, [](float a, float, float) { return std::floor(a); }},
      {Op::kFraction, [](float a, float, float) { return a - std::floor(a); }},
      {Op::kSquareRoot, [](float a, float, float) { return std::sqrt(a); }},
  };
  return operations;
}

// Ordinary numbers and the ones that people forget.
Block RandomBlock(std::mt19937& random) {
  constexpr float kSpecial[] = {0.0F,
                                -0.0F,
                                1.0F,
                                -1.0F,
                                0x1p-149F,
                                -0x1p-130F,
                                std::numeric_limits<float>::max(),
                                std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
  Block block{};
  for (float& lane : block.lanes) {
    const auto choice = static_cast<uint32_t>(random() % 24);
    lane = choice < std::size(kSpecial)
               ? kSpecial[choice]
               : (static_cast<float>(random() % 65536) - 32768.0F) / 997.0F;
  }
  return block;
}

// The operations in the first lanes, by a function that runs a program.
template <class Run>
void CheckOperations(uint32_t seed, size_t lanes, const Run& run) {
  std::mt19937 random(seed);
  for (const Isa& isa : SupportedIsas()) {
    CAPTURE(isa.name);
    for (const Expected& expected : ExpectedOperations()) {
      std::vector<Block> registers = {RandomBlock(random), RandomBlock(random), RandomBlock(random),
                                      Block{}};
      Program program;
      program.register_count = 4;
      program.Add(expected.op, 3, Operand::Register(0), Operand::Register(1), Operand::Register(2));
      Frame frame;
      frame.registers = registers.data();
      run(KernelsOf(isa), program, frame);
      for (size_t lane = 0; lane < lanes; ++lane) {
        CAPTURE(static_cast<int>(expected.op));
        CAPTURE(lane);
        const float wanted = expected.function(registers[0].lanes[lane], registers[1].lanes[lane],
                                               registers[2].lanes[lane]);
        CHECK(AreSame(registers[3].lanes[lane], wanted));
      }
    }
  }
}

}  // namespace

TEST_CASE("Machine: every instruction set computes what the language computes") {
  CheckOperations(7, kLanes, [](const auto& kernels, const Program& program, Frame& frame) {
    kernels.Run(program, frame);
  });
}

TEST_CASE("Machine: what is for few lanes gives the first of them the same") {
  CheckOperations(8, kFewLanes, [](const auto& kernels, const Program& program, Frame& frame) {
    kernels.RunFew(program, frame);
  });
}

TEST_CASE("Machine: a vector times a matrix") {
  std::mt19937 random(9);
  for (const Isa& isa : SupportedIsas()) {
    CAPTURE(isa.name);
    Program program;
    program.AddConstant(1.0F);
    const Block values = RandomBlock(random);
    const auto matrix = Operand::OfConstant(static_cast<uint32_t>(program.constants.size()));
    for (size_t i = 0; i < 16; ++i)
      program.constants.emplace_back().lanes.fill(values.lanes[i]);
    program.register_count = 8;
    program.Add(Op::kTransform, 4, Operand::Register(0), matrix);
    for (const bool is_few : {false, true}) {
      std::vector<Block> registers(8);
      for (size_t i = 0; i < 4; ++i)
        registers[i] = RandomBlock(random);
      Frame frame;
      frame.registers = registers.data();
      is_few ? KernelsOf(isa).RunFew(program, frame) : KernelsOf(isa).Run(program, frame);
      for (size_t lane = 0; lane < (is_few ? kFewLanes : kLanes); ++lane) {
        for (size_t j = 0; j < 4; ++j) {
          float wanted = registers[0].lanes[lane] * values.lanes[j];
          for (size_t i = 1; i < 4; ++i)
            wanted = registers[i].lanes[lane] * values.lanes[4 * i + j] + wanted;
          CHECK(AreSame(registers[4 + j].lanes[lane], wanted));
        }
      }
    }
  }
}

TEST_CASE("Machine: constants repeat in all lanes, and equal ones are one") {
  for (const Isa& isa : SupportedIsas()) {
    CAPTURE(isa.name);
    Program program;
    const Operand half = program.AddConstant(0.5F);
    CHECK(program.AddConstant(0.5F) == half);
    CHECK_FALSE(program.AddConstant(-0.0F) == program.AddConstant(0.0F));
    const uint32_t to = program.AddRegister();
    program.Add(Op::kAdd, to, half, program.AddConstant(2.0F));
    std::vector<Block> registers(program.register_count);
    Frame frame;
    frame.registers = registers.data();
    KernelsOf(isa).Run(program, frame);
    for (const float lane : registers[to].lanes)
      CHECK(lane == 2.5F);
  }
}

TEST_CASE("Machine: derivatives are those of the quad's row and column") {
  for (const Isa& isa : SupportedIsas()) {
    CAPTURE(isa.name);
    Program program;
    program.register_count = 3;
    program.Add(Op::kDerivativeX, 1, Operand::Register(0));
    program.Add(Op::kDerivativeY, 2, Operand::Register(0));
    std::vector<Block> registers(3);
    for (size_t lane = 0; lane < kLanes; ++lane)
      registers[0].lanes[lane] = static_cast<float>(lane * lane);
    Frame frame;
    frame.registers = registers.data();
    KernelsOf(isa).Run(program, frame);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const size_t left = lane & ~size_t{1};
      const size_t top = lane & ~size_t{8};
      const auto square = [](size_t i) { return static_cast<float>(i * i); };
      CHECK(registers[1].lanes[lane] == square(left + 1) - square(left));
      CHECK(registers[2].lanes[lane] == square(top + 8) - square(top));
    }
  }
}

TEST_CASE("Machine: a jump skips what no lane needs, a kill drops lanes") {
  Program program;
  program.register_count = 2;
  program.Add(Op::kIsLess, 0, Operand::Register(1), program.AddConstant(3.0F));
  program.Add(Op::kJumpIfNone, 0, Operand::Register(0), {}, {}, 3);
  program.Add(Op::kKill, 0, Operand::Register(0));
  std::vector<Block> registers(2);
  for (size_t lane = 0; lane < kLanes; ++lane)
    registers[1].lanes[lane] = static_cast<float>(lane);
  Frame frame;
  frame.registers = registers.data();
  const KernelTable& kernels = KernelsOf(SupportedIsas().front());
  kernels.Run(program, frame);
  CHECK(frame.killed == 7);
  frame.killed = 0;
  frame.active = ~uint64_t{7};
  kernels.Run(program, frame);
  CHECK(frame.killed == 0);
}

TEST_CASE("Instruction sets: the empty name is the best one, portable is always there") {
  const std::vector<Isa> isas = SupportedIsas();
  CHECK(FindIsa("")->name == isas.front().name);
  CHECK(FindIsa("portable"));
  CHECK_FALSE(FindIsa("mmx"));
}
