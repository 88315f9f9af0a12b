// Arithmetic, comparisons and derivatives of the block machine.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/machine/kernels_arithmetic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/machine/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

#define DP2TRACE_UNARY(name, expression)              \
  void name(const Instruction& i, Frame& frame) {     \
    Unary(i, frame, [](VF a) { return expression; }); \
  }
#define DP2TRACE_BINARY(name, expression)                    \
  void name(const Instruction& i, Frame& frame) {            \
    Binary(i, frame, [](VF a, VF b) { return expression; }); \
  }
#define DP2TRACE_TERNARY(name, expression)                          \
  void name(const Instruction& i, Frame& frame) {                   \
    Ternary(i, frame, [](VF a, VF b, VF c) { return expression; }); \
  }

HWY_INLINE VF One() {
  return hn::Set(F32(), 1.0F);
}
HWY_INLINE VF OfMask(hn::Mask<F32> mask) {
  return hn::VecFromMask(F32(), mask);
}

// Highway's emulation makes 0 of -0.
HWY_INLINE VF FloorOf(VF a) {
#if HWY_TARGET == HWY_EMU128
  return hn::IfThenElse(hn::Eq(a, hn::Zero(F32())), a, hn::Floor(a));
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
  table[Op::kMove] = Move;
  table[Op::kAdd] = Add;
  table[Op::kSubtract] = Subtract;
  table[Op::kMultiply] = Multiply;
  table[Op::kDivide] = Divide;
  table[Op::kMin] = Min;
  table[Op::kMax] = Max;
  table[Op::kSaturate] = Saturate;
  table[Op::kMultiplyAdd] = MultiplyAdd;
  table[Op::kMultiplySubtract] = MultiplySubtract;
  table[Op::kBlend] = Blend;
  table[Op::kLerp] = Lerp;
  table[Op::kComplement] = Complement;
  table[Op::kNegate] = Negate;
  table[Op::kAbs] = Abs;
  table[Op::kFloor] = Floor;
  table[Op::kSquareRoot] = SquareRoot;
  table[Op::kFraction] = Fraction;
  table[Op::kIsLess] = IsLess;
  table[Op::kIsLessEqual] = IsLessEqual;
  table[Op::kIsEqual] = IsEqual;
  table[Op::kIsNotEqual] = IsNotEqual;
  table[Op::kAnd] = And;
  table[Op::kOr] = Or;
  table[Op::kXor] = Xor;
  table[Op::kAndNot] = AndNot;
  table[Op::kSelect] = Select;
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
