#include "fast/machine/simplify.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "fast/machine/isa.h"
#include "fast/machine/kernels.h"
#include "unit/fast/random_program.h"

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;  // NOLINT(google-build-using-namespace): test file

namespace {

Operand Reg(uint32_t number) {
  return Operand::Register(number);
}

Program WithRegisters(uint32_t count) {
  Program program;
  program.register_count = count;
  return program;
}

}  // namespace

TEST_CASE("Simplify: random programs give the same results") {
  std::mt19937 random(12);
  const KernelTable& kernels = KernelsOf(SupportedIsas().front());
  size_t removed = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    Program program = RandomProgram(random);
    // Registers for a moment, as a compiler uses them.
    for (size_t n = 0; n + 1 < program.instructions.size(); ++n) {
      Instruction& next = program.instructions[n + 1];
      if (next.op == Op::kMove && random() % 2 == 0) next.a = Reg(program.instructions[n].to);
    }
    std::vector<Operand> results;
    for (uint32_t i = 0; i < kRegisters; ++i) {
      if (random() % 3 == 0) results.push_back(Reg(i));
    }
    const std::vector<Block> before = RandomRegisters(random);
    const auto run = [&] {
      std::vector<Block> registers = before;
      Frame frame;
      frame.registers = registers.data();
      frame.active = kAllLanes;
      kernels.Run(program, frame);
      return registers;
    };
    const std::vector<Block> expected = run();
    const size_t size = program.instructions.size();
    Simplify(program, results);
    REQUIRE(program.instructions.size() <= size);
    removed += size - program.instructions.size();
    const std::vector<Block> actual = run();
    for (const Operand result : results) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        CAPTURE(result.number());
        CAPTURE(lane);
        REQUIRE(
            AreSame(actual[result.number()].lanes[lane], expected[result.number()].lanes[lane]));
      }
    }
  }
  CHECK(removed > 10000);
}

TEST_CASE("Simplify: what is computed to be copied is written where the copy goes") {
  Program program = WithRegisters(4);
  program.Add(Op::kLog2, 1, Reg(0));
  program.Add(Op::kMove, 2, Reg(1));
  program.Add(Op::kMove, 3, Reg(2));
  const std::vector<Operand> results = {Reg(3)};
  Simplify(program, results);
  REQUIRE(program.instructions.size() == 1);
  CHECK(program.instructions[0].op == Op::kLog2);
  CHECK(program.instructions[0].to == 3);
  CHECK(program.instructions[0].a == Reg(0));
}

TEST_CASE("Simplify: a copy stays where its source or its place is used on the way") {
  Program program = WithRegisters(4);
  program.Add(Op::kLog2, 1, Reg(0));
  program.Add(Op::kExp2, 3, Reg(2));  // the old value
  program.Add(Op::kMove, 2, Reg(1));
  const std::vector<Operand> results = {Reg(2), Reg(3)};
  Simplify(program, results);
  CHECK(program.instructions.size() == 3);
}

TEST_CASE(
    "Simplify: a constant is read in place of its copy, and nothing that no one reads is left") {
  Program program = WithRegisters(4);
  const Operand one = program.AddConstant(1.0F);
  program.Add(Op::kMove, 1, one);
  program.Add(Op::kNegate, 2, Reg(0));
  program.Add(Op::kAdd, 3, Reg(0), Reg(1));
  const std::vector<Operand> results = {Reg(3)};
  Simplify(program, results);
  REQUIRE(program.instructions.size() == 1);
  CHECK(program.instructions[0].b == one);
}

TEST_CASE("Simplify: what is computed for what nobody reads goes with it, however long") {
  constexpr uint32_t kLength = 8000;
  Program program = WithRegisters(kLength + 1);
  for (uint32_t i = 0; i < kLength; ++i)
    program.Add(Op::kNegate, i + 1, Reg(i));
  Simplify(program, {});
  CHECK(program.instructions.empty());
}

TEST_CASE("Simplify: jumps lead where they led, and what another way brings there stays") {
  Program program = WithRegisters(4);
  program.Add(Op::kIsLess, 1, Reg(0), program.AddConstant(0.0F));
  program.Add(Op::kNegate, 3, Reg(0));  // nobody reads it
  program.Add(Op::kMove, 2, program.AddConstant(2.0F));
  program.Add(Op::kJumpIfNone, 0, Reg(1), {}, {}, 5);
  program.Add(Op::kNegate, 2, Reg(0));
  program.Add(Op::kAdd, 3, Reg(2), Reg(2));
  const std::vector<Operand> results = {Reg(3)};
  Simplify(program, results);
  REQUIRE(program.instructions.size() == 5);
  CHECK(program.instructions[2].op == Op::kJumpIfNone);
  CHECK(program.instructions[2].data == 4);
  CHECK(program.instructions[4].a == Reg(2));
}
