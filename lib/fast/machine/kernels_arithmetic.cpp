// Arithmetic, comparisons and derivatives of the block machine.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/machine/kernels_arithmetic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/machine/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

#define DP2TRACE_UNARY(name, expression)                      \
  template <size_t kCount>                                    \
  void name(const Instruction& i, Frame& frame) {             \
    Unary<kCount>(i, frame, [](VF a) { return expression; }); \
  }
#define DP2TRACE_BINARY(name, expression)                            \
  template <size_t kCount>                                           \
  void name(const Instruction& i, Frame& frame) {                    \
    Binary<kCount>(i, frame, [](VF a, VF b) { return expression; }); \
  }
#define DP2TRACE_TERNARY(name, expression)                                  \
  template <size_t kCount>                                                  \
  void name(const Instruction& i, Frame& frame) {                           \
    Ternary<kCount>(i, frame, [](VF a, VF b, VF c) { return expression; }); \
  }

HWY_INLINE VF One() {
  return hn::Set(F32(), 1.0F);
}
HWY_INLINE VF OfMask(hn::Mask<F32> mask) {
  return hn::VecFromMask(F32(), mask);
}

// Where the machine does not round, Highway makes 0 of -0: the portable target, which is SSE2 for Highway 1.2 and later.
HWY_INLINE VF FloorOf(VF a) {
#if HWY_TARGET == HWY_EMU128 || (defined(HWY_SSE2) && HWY_TARGET == HWY_SSE2)
  return hn::CopySign(hn::Floor(a), a);
#else
  return hn::Floor(a);
#endif
}

DP2TRACE_UNARY(Move, a)
DP2TRACE_BINARY(Add, hn::Add(a, b))
DP2TRACE_BINARY(Subtract, hn::Sub(a, b))
DP2TRACE_BINARY(Multiply, hn::Mul(a, b))
DP2TRACE_BINARY(Divide, hn::Div(a, b))
DP2TRACE_BINARY(Min, Min5(a, b))
DP2TRACE_BINARY(Max, Max5(a, b))
DP2TRACE_TERNARY(Clamp, Min5(Max5(a, b), c))
DP2TRACE_UNARY(Saturate, Saturate5(a))
DP2TRACE_TERNARY(MultiplyAdd, hn::Add(hn::Mul(a, b), c))
DP2TRACE_TERNARY(MultiplySubtract, hn::Sub(hn::Mul(a, b), c))
DP2TRACE_TERNARY(Blend, hn::Add(hn::Mul(a, c), hn::Mul(b, hn::Sub(One(), c))))
DP2TRACE_TERNARY(Lerp, hn::Add(hn::Mul(a, hn::Sub(b, c)), c))
DP2TRACE_UNARY(Complement, hn::Sub(One(), a))
DP2TRACE_UNARY(Negate, hn::Xor(a, hn::Set(F32(), -0.0F)))
DP2TRACE_UNARY(Abs, hn::AndNot(hn::Set(F32(), -0.0F), a))
DP2TRACE_UNARY(Floor, FloorOf(a))
DP2TRACE_UNARY(SquareRoot, hn::Sqrt(a))
DP2TRACE_UNARY(Fraction, hn::Sub(a, FloorOf(a)))
DP2TRACE_BINARY(IsLess, OfMask(hn::Lt(a, b)))
DP2TRACE_BINARY(IsLessEqual, OfMask(hn::Le(a, b)))
DP2TRACE_BINARY(IsEqual, OfMask(hn::Eq(a, b)))
DP2TRACE_BINARY(IsNotEqual, hn::Not(OfMask(hn::Eq(a, b))))
DP2TRACE_BINARY(And, hn::And(a, b))
DP2TRACE_BINARY(Or, hn::Or(a, b))
DP2TRACE_BINARY(Xor, hn::Xor(a, b))
DP2TRACE_BINARY(AndNot, hn::AndNot(a, b))
DP2TRACE_TERNARY(Select, hn::Or(hn::And(a, b), hn::AndNot(a, c)))

template <size_t kCount>
void Transform(const Instruction& i, Frame& frame) {
  const F32 d;
  const Block* HWY_RESTRICT from = &frame.registers[i.a.number()];
  const Constant* HWY_RESTRICT matrix = &frame.constants[i.b.number()];
  Block* HWY_RESTRICT to = &frame.registers[i.to];
  for (size_t j = 0; j < 4; ++j) {
    const VF m0 = hn::Load(d, matrix[j].lanes.data());
    const VF m1 = hn::Load(d, matrix[4 + j].lanes.data());
    const VF m2 = hn::Load(d, matrix[8 + j].lanes.data());
    const VF m3 = hn::Load(d, matrix[12 + j].lanes.data());
    for (size_t lane = 0; lane < kCount; lane += hn::Lanes(d)) {
      const auto at = [&](size_t component) {
        return hn::Load(d, from[component].lanes.data() + lane);
      };
      VF sum = hn::Mul(at(0), m0);
      sum = hn::Add(hn::Mul(at(1), m1), sum);
      sum = hn::Add(hn::Mul(at(2), m2), sum);
      sum = hn::Add(hn::Mul(at(3), m3), sum);
      hn::Store(sum, d, to[j].lanes.data() + lane);
    }
  }
}

// The odd column of the row minus the even one, and the odd row of the column minus the even one. Lanes may be read and written in place.
void DerivativeX(const Instruction& i, Frame& frame) {
  const Block a = frame.registers[i.a.number()];
  float* to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kLanes; lane += 2)
    to[lane] = to[lane + 1] = a.lanes[lane + 1] - a.lanes[lane];
}
void DerivativeY(const Instruction& i, Frame& frame) {
  const Block a = frame.registers[i.a.number()];
  float* to = frame.registers[i.to].lanes.data();
  for (size_t row = 0; row < kLanes; row += 16) {
    for (size_t lane = row; lane < row + 8; ++lane)
      to[lane] = to[lane + 8] = a.lanes[lane + 8] - a.lanes[lane];
  }
}

void FillArithmetic(KernelTable& table) {
  table.Set(Op::kMove, Move<kLanes>, Move<kFewLanes>);
  table.Set(Op::kAdd, Add<kLanes>, Add<kFewLanes>);
  table.Set(Op::kSubtract, Subtract<kLanes>, Subtract<kFewLanes>);
  table.Set(Op::kMultiply, Multiply<kLanes>, Multiply<kFewLanes>);
  table.Set(Op::kDivide, Divide<kLanes>, Divide<kFewLanes>);
  table.Set(Op::kMin, Min<kLanes>, Min<kFewLanes>);
  table.Set(Op::kMax, Max<kLanes>, Max<kFewLanes>);
  table.Set(Op::kClamp, Clamp<kLanes>, Clamp<kFewLanes>);
  table.Set(Op::kSaturate, Saturate<kLanes>, Saturate<kFewLanes>);
  table.Set(Op::kMultiplyAdd, MultiplyAdd<kLanes>, MultiplyAdd<kFewLanes>);
  table.Set(Op::kMultiplySubtract, MultiplySubtract<kLanes>, MultiplySubtract<kFewLanes>);
  table.Set(Op::kBlend, Blend<kLanes>, Blend<kFewLanes>);
  table.Set(Op::kLerp, Lerp<kLanes>, Lerp<kFewLanes>);
  table.Set(Op::kComplement, Complement<kLanes>, Complement<kFewLanes>);
  table.Set(Op::kNegate, Negate<kLanes>, Negate<kFewLanes>);
  table.Set(Op::kAbs, Abs<kLanes>, Abs<kFewLanes>);
  table.Set(Op::kFloor, Floor<kLanes>, Floor<kFewLanes>);
  table.Set(Op::kSquareRoot, SquareRoot<kLanes>, SquareRoot<kFewLanes>);
  table.Set(Op::kFraction, Fraction<kLanes>, Fraction<kFewLanes>);
  table.Set(Op::kIsLess, IsLess<kLanes>, IsLess<kFewLanes>);
  table.Set(Op::kIsLessEqual, IsLessEqual<kLanes>, IsLessEqual<kFewLanes>);
  table.Set(Op::kIsEqual, IsEqual<kLanes>, IsEqual<kFewLanes>);
  table.Set(Op::kIsNotEqual, IsNotEqual<kLanes>, IsNotEqual<kFewLanes>);
  table.Set(Op::kAnd, And<kLanes>, And<kFewLanes>);
  table.Set(Op::kOr, Or<kLanes>, Or<kFewLanes>);
  table.Set(Op::kXor, Xor<kLanes>, Xor<kFewLanes>);
  table.Set(Op::kAndNot, AndNot<kLanes>, AndNot<kFewLanes>);
  table.Set(Op::kSelect, Select<kLanes>, Select<kFewLanes>);
  table.Set(Op::kTransform, Transform<kLanes>, Transform<kFewLanes>);
  table[Op::kDerivativeX] = DerivativeX;
  table[Op::kDerivativeY] = DerivativeY;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillArithmetic);

void AddArithmeticKernels(KernelTable& table) {
  HWY_DYNAMIC_DISPATCH(FillArithmetic)(table);
}

}  // namespace dp2trace::fast
#endif
