// Functions of the block machine against base/transcendental.h and plain C++, in all instruction sets of the machine.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "base/transcendental.h"
#include "unit/fast/block_shader.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

float Logarithm(float x) {
  return x == 0.0F ? -FLT_MAX : Log2(std::fabs(x));
}
float Reciprocal(float x) {
  return x == 0.0F ? FLT_MAX : 1.0F / x;
}
float ReciprocalRoot(float x) {
  return x == 0.0F ? FLT_MAX : 1.0F / std::sqrt(std::fabs(x));
}

// Of every other round: blocks without infinities, NaNs and zeros have a way of their own, and so have lanes in a row whose result is known.
void FillLanes(Random& random, int round, Block& block) {
  for (float& lane : block.lanes) {
    lane = round % 2 == 0 ? RandomNumber(random)
                          : static_cast<float>(random.Below(1U << 22)) / 16384.0F - 129.0F;
    if (lane == 0.0F && round % 2 != 0) lane = 1.0F;
  }
  if (round % 4 == 2) {
    constexpr float kTrivial[] = {0.0F, -0.0F, -151.5F, -1e30F};
    std::fill_n(block.lanes.begin(), random.Below(kLanes + 1), kTrivial[random.Below(4)]);
  }
  if (round % 2 == 0) return;
  block.lanes[3] = -149.0F;
  block.lanes[10] = 127.0F;
  block.lanes[62] = 0x1p-149F;
}

void CheckUnary(Op op, float (*expected)(float)) {
  Random random(7);
  Program program;
  program.AddRegisters(2);
  program.Add(op, 1, Operand::Register(0));
  for (const Isa& isa : SupportedIsas()) {
    INFO(isa.name);
    for (int round = 0; round < 200; ++round) {
      GuardedBlocks blocks(2);
      FillLanes(random, round, blocks[0]);
      Frame frame;
      frame.registers = blocks.data();
      KernelsOf(isa).Run(program, frame);
      size_t differing = 0;
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const bool is_same = IsSame(blocks[1].lanes[lane], expected(blocks[0].lanes[lane]));
        if (!is_same) MESSAGE(blocks[0].lanes[lane] << " gives " << blocks[1].lanes[lane]);
        differing += is_same ? 0U : 1U;
      }
      CHECK(differing == 0);
      CHECK(blocks.is_intact());
    }
  }
}

}  // namespace

TEST_CASE("Kernels: Exp2, Log2, Sine, Cosine") {
  CheckUnary(Op::kExp2, Exp2);
  CheckUnary(Op::kLog2, Logarithm);
  CheckUnary(Op::kSine, Sin);
  CheckUnary(Op::kCosine, Cos);
}

TEST_CASE("Kernels: ExpMinus is rounded once") {
  CheckUnary(Op::kExpMinus, [](float x) { return Exp2D(double{x} * -1.4426950408889634); });
}

TEST_CASE("Kernels: reciprocals of 0 are FLT_MAX") {
  CheckUnary(Op::kReciprocal, Reciprocal);
  CheckUnary(Op::kReciprocalRoot, ReciprocalRoot);
}

TEST_CASE("Kernels: Power, of registers and constants") {
  Random random(8);
  for (const Isa& isa : SupportedIsas()) {
    INFO(isa.name);
    for (int round = 0; round < 300; ++round) {
      const float exponent = RandomNumber(random);
      Program program;
      program.AddRegisters(4);
      program.Add(Op::kPower, 2, Operand::Register(0), Operand::Register(1));
      program.Add(Op::kPower, 3, Operand::Register(0), program.AddConstant(exponent));
      GuardedBlocks blocks(4);
      FillLanes(random, round, blocks[0]);
      for (float& lane : blocks[1].lanes)
        lane = RandomNumber(random);
      Frame frame;
      frame.registers = blocks.data();
      KernelsOf(isa).Run(program, frame);
      size_t differing = 0;
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const float x = blocks[0].lanes[lane];
        differing += IsSame(blocks[2].lanes[lane], Pow(x, blocks[1].lanes[lane])) ? 0U : 1U;
        differing += IsSame(blocks[3].lanes[lane], Pow(x, exponent)) ? 0U : 1U;
      }
      CHECK(differing == 0);
      CHECK(blocks.is_intact());
    }
  }
}

TEST_CASE("Kernels: exponent and mantissa; constants by relative address") {
  const std::array<float, 4> reals[] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  Program program;
  program.AddRegisters(4);
  program.Add(Op::kExponent, 1, Operand::Register(0));
  program.Add(Op::kMantissa, 2, Operand::Register(0));
  program.Add(Op::kLoadReal, 3, Operand::Register(0), {}, {}, 2);
  GuardedBlocks blocks(4);
  blocks[0].lanes.fill(0);
  const float values[] = {1, -6, 0, 0x1p-149F, FLT_MAX, INFINITY, NAN, 1e9F, -1};
  std::copy(std::begin(values), std::end(values), blocks[0].lanes.begin());
  Frame frame;
  frame.registers = blocks.data();
  frame.reals = reals;
  frame.real_count = 2;
  KernelsOf(*FindIsa("")).Run(program, frame);
  const float exponents[] = {0, 2, -FLT_MAX, -149, 127, 128, NAN, 29};
  const float mantissas[] = {1, 1.5F, 1, 1, 0x1.fffffep+0F, 1, NAN, 1e9F / 0x1p29F};
  for (size_t lane = 0; lane < 8; ++lane) {
    CHECK(IsSame(blocks[1].lanes[lane], exponents[lane]));
    CHECK(IsSame(blocks[2].lanes[lane], mantissas[lane]));
  }
  CHECK(blocks[3].lanes[0] == 7);
  CHECK(blocks[3].lanes[1] == 0);
  CHECK(blocks[3].lanes[2] == 3);
  CHECK(blocks[3].lanes[6] == 0);
  CHECK(blocks[3].lanes[8] == 0);
  CHECK(blocks.is_intact());
}
