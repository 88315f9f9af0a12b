// Functions of one number: reciprocals, and the transcendental functions of base/transcendental.h with the same bits.
// Source: rendering specification, 0.4, 8.4 and 8.5.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/machine/kernels_functions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cfloat>
#include <limits>

#include "fast/machine/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// binary64 numbers, and as many binary32 ones.
using F64 = hn::CappedTag<double, 8>;
using U64 = hn::RebindToUnsigned<F64>;
using H32 = hn::Rebind<float, F64>;
using VD = hn::Vec<F64>;
using VH = hn::Vec<H32>;

HWY_INLINE VD Wide(double x) {
  return hn::Set(F64(), x);
}
HWY_INLINE VD Truncated(hn::Vec<U64> bits) {
  return hn::BitCast(F64(), bits);
}

// Coefficients from the highest power down to 1.
template <size_t kCount>
HWY_INLINE VD Horner(const double (&coefficients)[kCount], VD x) {
  VD p = Wide(coefficients[0]);
  for (size_t k = 1; k < kCount; ++k)
    p = hn::Add(hn::Mul(p, x), Wide(coefficients[k]));
  return p;
}

// 2^x of any x.
HWY_INLINE VH Exp2OfWide(VD x) {
  constexpr double kTerms[] = {0x1.62c0223a5c822p-20, 0x1.ffcbfc588b0c5p-17, 0x1.430912f86c786p-13,
                               0x1.5d87fe78a6730p-10, 0x1.3b2ab6fba4e77p-7,  0x1.c6b08d704a0bfp-5,
                               0x1.ebfbdff82c58ep-3,  0x1.62e42fefa39efp-1,  0x1.0000000000000p+0};
  constexpr double kExponent =
      0x1p52 + 1023;  // moves an integer to the exponent's place of its bits
  const F64 d;
  const U64 u;
  const VD inside = Min5(Max5(x, Wide(-151.0)), Wide(129.0));
  const VD n = hn::Floor(hn::Add(inside, Wide(0.5)));
  const VD p = Horner(kTerms, hn::Sub(inside, n));
  const VD scale = Truncated(hn::ShiftLeft<52>(hn::BitCast(u, hn::Add(n, Wide(kExponent)))));
  VD result = hn::Mul(p, scale);  // exact
  const auto is_large = hn::Or(hn::Ge(x, Wide(128.0)), hn::Ge(result, Wide(0x1.ffffffp+127)));
  result = hn::IfThenElse(is_large, Wide(double{FLT_MAX}), result);
  result = hn::IfThenElse(hn::Le(x, Wide(-150.0)), hn::Zero(d), result);
  const H32 h;
  const VH rounded = hn::DemoteTo(h, result);
  const VH nan = hn::Set(h, std::numeric_limits<float>::quiet_NaN());
  const auto is_number = hn::VecFromMask(d, hn::Eq(x, x));
  return hn::IfThenElse(hn::Ne(hn::DemoteTo(h, hn::And(is_number, Wide(1.0))), hn::Zero(h)),
                        rounded, nan);
}

// log2 of x >= 0, without meaning for 0.
HWY_INLINE VD Log2OfWide(VD x) {
  constexpr double kTerms[] = {1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0};
  const F64 d;
  const U64 u;
  const auto bits = hn::BitCast(u, x);
  // The exponent as a number: its bits behind those of 2^52.
  VD e = hn::Sub(Truncated(hn::Or(hn::ShiftRight<52>(bits), hn::BitCast(u, Wide(0x1p52)))),
                 Wide(0x1p52 + 1022));
  VD m = Truncated(hn::Or(hn::And(bits, hn::Set(u, 0x000FFFFFFFFFFFFFull)),
                          hn::Set(u, 0x3FE0000000000000ull)));  // [0.5, 1)
  const auto is_small = hn::Lt(m, Wide(0.70710678118654752440));
  m = hn::IfThenElse(is_small, hn::Add(m, m), m);
  e = hn::Sub(e, hn::IfThenElseZero(is_small, Wide(1.0)));
  const VD s = hn::Div(hn::Sub(m, Wide(1.0)), hn::Add(m, Wide(1.0)));
  const VD p = Horner(kTerms, hn::Mul(s, s));
  VD result = hn::Add(hn::Mul(Wide(0x1.71547652b82fep+1), hn::Mul(s, p)), e);
  result = hn::IfThenElse(hn::Gt(x, Wide(double{FLT_MAX})), Wide(128.0), result);
  return hn::IfThenElse(hn::Eq(x, x), result, hn::Add(x, hn::Zero(d)));
}

// |x|^y.
HWY_INLINE VH PowerOf(VH x, VH y) {
  const F64 d;
  const H32 h;
  const VH magnitude = hn::Abs(x);
  const VD logarithm = Log2OfWide(hn::PromoteTo(d, magnitude));
  VH result = Exp2OfWide(hn::Mul(hn::PromoteTo(d, y), logarithm));
  const VH of_zero = hn::IfThenElse(hn::Gt(y, hn::Zero(h)), hn::Zero(h), hn::Set(h, FLT_MAX));
  result = hn::IfThenElse(hn::Eq(x, hn::Zero(h)), of_zero, result);
  return hn::IfThenElse(hn::Eq(y, hn::Zero(h)), hn::Set(h, 1.0F), result);
}

// The sine of x + quarter_turns * pi/2.
HWY_INLINE VH SineOf(VH x, uint64_t quarter_turns) {
  constexpr double kSin[] = {1.0 / 6227020800.0,
                             -1.0 / 39916800.0,
                             1.0 / 362880.0,
                             -1.0 / 5040.0,
                             1.0 / 120.0,
                             -1.0 / 6.0,
                             1.0};
  constexpr double kCos[] = {1.0 / 479001600.0,
                             -1.0 / 3628800.0,
                             1.0 / 40320.0,
                             -1.0 / 720.0,
                             1.0 / 24.0,
                             -1.0 / 2.0,
                             1.0};
  constexpr double kRange = 1048576.0;
  constexpr double kInteger = 0x1.8p52;  // puts an integer into the lowest bits
  const F64 d;
  const U64 u;
  VD angle = hn::PromoteTo(d, x);
  angle =
      hn::IfThenElseZero(hn::And(hn::Ge(angle, Wide(-kRange)), hn::Le(angle, Wide(kRange))), angle);
  const VD k = hn::Floor(hn::Add(hn::Mul(angle, Wide(0x1.45f306dc9c883p-1)), Wide(0.5)));
  const VD r = hn::Sub(hn::Sub(angle, hn::Mul(k, Wide(0x1.921fb54400000p+0))),
                       hn::Mul(k, Wide(0x1.0b4611a626331p-34)));
  const auto quadrant =
      hn::Add(hn::BitCast(u, hn::Add(k, Wide(kInteger))), hn::Set(u, quarter_turns));
  const VD t = hn::Mul(r, r);
  const VD cosine = Horner(kCos, t);
  const VD sine = hn::Mul(Horner(kSin, t), r);
  const auto is_odd = hn::TestBit(quadrant, hn::Set(u, 1));
  const VD value = hn::IfThenElse(hn::RebindMask(d, is_odd), cosine, sine);
  const auto sign = hn::ShiftLeft<62>(hn::And(quadrant, hn::Set(u, 2)));
  return hn::DemoteTo(H32(), hn::Xor(value, Truncated(sign)));
}

const float* LanesOf(Operand operand, const Frame& frame) {
  return operand.is_constant() ? frame.constants[operand.number()].lanes.data()
                               : frame.registers[operand.number()].lanes.data();
}

// Runs a function of one or two operands on vectors that fit beside binary64 ones.
template <class Function>
HWY_INLINE void Halves(const Instruction& i, Frame& frame, const Function& function) {
  const H32 h;
  const float* HWY_RESTRICT a = LanesOf(i.a, frame);
  const float* HWY_RESTRICT b = LanesOf(i.b, frame);
  const size_t step_a = i.a.is_constant() ? 0 : hn::Lanes(h);
  const size_t step_b = i.b.is_constant() ? 0 : hn::Lanes(h);
  float* to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(h), a += step_a, b += step_b)
    hn::Store(function(hn::Load(h, a), hn::Load(h, b)), h, to + lane);
}

void Exp2(const Instruction& i, Frame& frame) {
  Halves(i, frame, [](VH a, VH) { return Exp2OfWide(hn::PromoteTo(F64(), a)); });
}

void Log2(const Instruction& i, Frame& frame) {
  Halves(i, frame, [](VH a, VH) {
    const H32 h;
    const VH result = hn::DemoteTo(h, Log2OfWide(hn::PromoteTo(F64(), hn::Abs(a))));
    return hn::IfThenElse(hn::Eq(a, hn::Zero(h)), hn::Set(h, -FLT_MAX), result);
  });
}

void Power(const Instruction& i, Frame& frame) {
  Halves(i, frame, [](VH a, VH b) { return PowerOf(a, b); });
}

void Sine(const Instruction& i, Frame& frame) {
  Halves(i, frame, [](VH a, VH) { return SineOf(a, 0); });
}

void Cosine(const Instruction& i, Frame& frame) {
  Halves(i, frame, [](VH a, VH) { return SineOf(a, 1); });
}

// e^-a in binary64, rounded once.
void ExpMinus(const Instruction& i, Frame& frame) {
  Halves(i, frame, [](VH a, VH) {
    return Exp2OfWide(hn::Mul(hn::PromoteTo(F64(), a), Wide(-1.4426950408889634)));
  });
}

HWY_INLINE VF UnlessZero(VF x, VF value) {
  const F32 d;
  return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, FLT_MAX), value);
}

void Reciprocal(const Instruction& i, Frame& frame) {
  Unary(i, frame, [](VF a) { return UnlessZero(a, hn::Div(hn::Set(F32(), 1.0F), a)); });
}

void ReciprocalRoot(const Instruction& i, Frame& frame) {
  Unary(i, frame,
        [](VF a) { return UnlessZero(a, hn::Div(hn::Set(F32(), 1.0F), hn::Sqrt(hn::Abs(a)))); });
}

void FillFunctions(KernelTable& table) {
  table[Op::kExp2] = Exp2;
  table[Op::kLog2] = Log2;
  table[Op::kPower] = Power;
  table[Op::kSine] = Sine;
  table[Op::kCosine] = Cosine;
  table[Op::kExpMinus] = ExpMinus;
  table[Op::kReciprocal] = Reciprocal;
  table[Op::kReciprocalRoot] = ReciprocalRoot;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillFunctions);

void AddFunctionKernels(KernelTable& table) {
  HWY_DYNAMIC_DISPATCH(FillFunctions)(table);
}

}  // namespace dp2trace::fast
#endif
