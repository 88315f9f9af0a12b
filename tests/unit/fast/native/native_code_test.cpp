#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "fast/machine/isa.h"
#include "fast/machine/kernels.h"
#include "fast/native/native_cache.h"
#include "fast/native/native_code.h"
#include "fast/native/pieces.h"
#include "unit/fast/random_program.h"

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<Isa> NativeIsas() {
  std::vector<Isa> isas;
  for (const Isa& isa : SupportedIsas()) {
    if (HasNativeCode(isa)) isas.push_back(isa);
  }
  return isas;
}

}  // namespace

TEST_CASE("NativeCode: random programs give what kernels give, in what is read afterwards") {
  std::mt19937 random(11);
  size_t pieces = 0;
  for (const Isa& isa : NativeIsas()) {
    CAPTURE(isa.name);
    const KernelTable& kernels = KernelsOf(isa);
    for (int round = 0; round < 300; ++round) {
      CAPTURE(round);
      Program program = RandomProgram(random);
      std::vector<Operand> results;
      for (uint32_t i = 0; i < kRegisters; ++i) {
        if (random() % 3 == 0) results.push_back(Operand::Register(i));
      }
      const std::vector<Block> before = RandomRegisters(random);
      for (const bool is_few : {false, true}) {
        const auto run = [&](std::vector<Block>& registers) {
          Frame frame;
          frame.registers = registers.data();
          frame.active = is_few ? 0xFFFF : kAllLanes;
          is_few ? kernels.RunFew(program, frame) : kernels.Run(program, frame);
        };
        program.native = nullptr;
        std::vector<Block> expected = before;
        run(expected);
        program.native = MakeNativeCode(program, results, isa);
        if (program.native != nullptr) ++pieces;
        std::vector<Block> actual = before;
        run(actual);
        for (const Operand result : results) {
          for (size_t lane = 0; lane < (is_few ? kFewLanes : kLanes); ++lane) {
            CAPTURE(result.number());
            CAPTURE(lane);
            REQUIRE(AreSame(actual[result.number()].lanes[lane],
                            expected[result.number()].lanes[lane]));
          }
        }
      }
    }
  }
  CHECK(pieces >= 400 * NativeIsas().size());
}

TEST_CASE("NativeCode: this machine has it for each instruction set of x86") {
#if defined(__x86_64__)
  CHECK(NativeIsas().size() + 1 == SupportedIsas().size());
#else
  CHECK(NativeIsas().empty());
#endif
}

TEST_CASE("NativeCode: a loop reads what its last round wrote") {
  Program program;
  const uint32_t sum = program.AddRegisters(4);
  const uint32_t step = sum + 1;
  const uint32_t scratch = sum + 2;
  const uint32_t is_more = sum + 3;
  const Operand one = program.AddConstant(1.0F);
  const Operand few = program.AddConstant(10.0F);
  const auto reg = [](uint32_t number) { return Operand::Register(number); };
  program.Add(Op::kMove, sum, program.AddConstant(0.0F));
  program.Add(Op::kMove, step, one);
  const auto loop = static_cast<uint32_t>(program.instructions.size());
  program.Add(Op::kMultiply, scratch, reg(step), reg(step));
  program.Add(Op::kAdd, sum, reg(sum), reg(scratch));
  program.Add(Op::kAdd, step, reg(step), one);
  program.Add(Op::kIsLessEqual, is_more, reg(step), few);
  program.Add(Op::kJumpIfNone, 0, reg(is_more), {}, {}, loop + 6);
  program.Add(Op::kJump, 0, {}, {}, {}, loop);
  const std::vector<Operand> results = {reg(sum)};
  for (const Isa& isa : NativeIsas()) {
    program.native = MakeNativeCode(program, results, isa);
    REQUIRE(program.native != nullptr);
    CHECK(program.native->instructions().size() == 4);  // two pieces, two jumps
    std::vector<Block> registers(program.register_count);
    Frame frame;
    frame.registers = registers.data();
    KernelsOf(isa).Run(program, frame);
    CHECK(registers[sum].lanes[63] == 385.0F);
  }
}

TEST_CASE("NativeCode: pieces end at jumps, their targets and what does not go lane by lane") {
  Program program;
  program.register_count = 8;
  const auto reg = [](uint32_t number) { return Operand::Register(number); };
  program.Add(Op::kAdd, 1, reg(0), reg(0));
  program.Add(Op::kAdd, 2, reg(1), reg(0));
  program.Add(Op::kDerivativeX, 3, reg(2));
  program.Add(Op::kAdd, 4, reg(3), reg(3));  // alone
  program.Add(Op::kJumpIfNone, 0, reg(4), {}, {}, 6);
  program.Add(Op::kAdd, 5, reg(4), reg(4));
  program.Add(Op::kAdd, 6, reg(5), reg(4));  // a target
  program.Add(Op::kAdd, 7, reg(6), reg(4));
  const std::vector<Operand> results = {reg(7)};
  const std::vector<Piece> pieces = FindPieces(program, results);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].first == 0);
  CHECK(pieces[0].last == 2);
  CHECK_FALSE(pieces[0].live[1]);
  CHECK(pieces[0].live[2]);
  CHECK(pieces[0].live[5]);  // where the jump is taken
  CHECK(pieces[1].first == 6);
  CHECK(pieces[1].last == 8);
  CHECK_FALSE(pieces[1].live[6]);
  CHECK(pieces[1].live[7]);
}

TEST_CASE("NativeCache: programs that differ only in their constants share code") {
  const Isa isa = SupportedIsas().front();
  if (!HasNativeCode(isa)) return;
  const auto made = [](float constant) {
    Program program;
    program.register_count = 2;
    program.Add(Op::kAdd, 1, Operand::Register(0), program.AddConstant(constant));
    program.Add(Op::kMultiply, 1, Operand::Register(1), Operand::Register(0));
    return program;
  };
  const std::vector<Operand> results = {Operand::Register(1)};
  NativeCache cache(isa, true);
  Program a = made(1.0F);
  Program b = made(2.0F);
  cache.AddTo(a, results);
  cache.AddTo(b, results);
  REQUIRE(a.native != nullptr);
  CHECK(a.native == b.native);
  NativeCache off(isa, false);
  Program c = made(1.0F);
  off.AddTo(c, results);
  CHECK(c.native == nullptr);
}
