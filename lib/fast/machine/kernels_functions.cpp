// Functions of one number: reciprocals, and the transcendental functions of base/transcendental.h with the same bits.
// Source: lib/raster/rendering.md 0.4; lib/raster/rendering-shaders.md 8.4 and 8.5.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/machine/kernels_functions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cfloat>
#include <utility>

#include "fast/machine/functions-inl.h"
#include "fast/machine/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// |x|^y, without the cases of 0.
template <size_t kCount>
HWY_INLINE Wides<kCount> PowerOf(Wides<kCount> x, const Wides<kCount>& y) {
  x.Apply([](VD number) { return hn::Abs(number); });
  Wides<kCount> exponent = Log2Of(x);
  for (size_t i = 0; i < kCount; ++i)
    exponent.v[i] = hn::Mul(y.v[i], exponent.v[i]);
  return Exp2Of(exponent);
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
  const VD cosine = Horner(kCos, Wides<1>{{t}}).v[0];
  const VD sine = hn::Mul(Horner(kSin, Wides<1>{{t}}).v[0], r);
  const auto is_odd = hn::TestBit(quadrant, hn::Set(u, 1));
  const VD value = hn::IfThenElse(hn::RebindMask(d, is_odd), cosine, sine);
  const auto sign = hn::ShiftLeft<62>(hn::And(quadrant, hn::Set(u, 2)));
  return NearestFloats(H32(), hn::Xor(value, Truncated(sign)));
}

const float* LanesOf(Operand operand, const Frame& frame) {
  return operand.is_constant() ? frame.constants[operand.number()].lanes.data()
                               : frame.registers[operand.number()].lanes.data();
}

// Vectors of the operands a and b, one after the other, that fit beside binary64 ones; constants repeat.
class HalfOperands {
 public:
  HWY_INLINE HalfOperands(const Instruction& i, const Frame& frame)
      : a_(LanesOf(i.a, frame)),
        b_(LanesOf(i.b, frame)),
        step_a_(i.a.is_constant() ? 0 : hn::Lanes(H32())),
        step_b_(i.b.is_constant() ? 0 : hn::Lanes(H32())) {}
  HWY_INLINE void Next(VH& a, VH& b) {
    a = hn::Load(H32(), std::exchange(a_, a_ + step_a_));
    b = hn::Load(H32(), std::exchange(b_, b_ + step_b_));
  }

 private:
  const float* HWY_RESTRICT a_;
  const float* HWY_RESTRICT b_;
  size_t step_a_, step_b_;
};

// Runs a function of one or two operands on vectors that fit beside binary64 ones.
template <class Function>
HWY_INLINE void Halves(const Instruction& i, Frame& frame, const Function& function) {
  const H32 h;
  HalfOperands operands(i, frame);
  float* to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(h)) {
    VH a, b;
    operands.Next(a, b);
    hn::Store(function(a, b), h, to + lane);
  }
}

// What a function with long chains of steps is made of. Lanes that are trivial have the result Finish() of 0: most of a light's pixels are
// out of its reach.
struct Exp2Rule {
  template <class D>
  HWY_INLINE static hn::Mask<D> IsTrivial(D d, hn::Vec<D> a, hn::Vec<D>) {
    return hn::Lt(a, hn::Set(d, -151.0F));
  }
  template <size_t kCount>
  HWY_INLINE static Wides<kCount> Of(const Wides<kCount>& a, const Wides<kCount>&) {
    return Exp2Of(a);
  }
  template <class D>
  HWY_INLINE static hn::Vec<D> Finish(D, hn::Vec<D>, hn::Vec<D>, hn::Vec<D> result) {
    return result;
  }
};

struct Log2Rule {
  template <class D>
  HWY_INLINE static hn::Mask<D> IsTrivial(D d, hn::Vec<D> a, hn::Vec<D>) {
    return hn::Eq(a, hn::Zero(d));
  }
  template <size_t kCount>
  HWY_INLINE static Wides<kCount> Of(Wides<kCount> a, const Wides<kCount>&) {
    a.Apply([](VD number) { return hn::Abs(number); });
    return Log2Of(a);
  }
  template <class D>
  HWY_INLINE static hn::Vec<D> Finish(D d, hn::Vec<D> a, hn::Vec<D>, hn::Vec<D> result) {
    return hn::IfThenElse(hn::Eq(a, hn::Zero(d)), hn::Set(d, -FLT_MAX), result);
  }
};

struct PowerRule {
  template <class D>
  HWY_INLINE static hn::Mask<D> IsTrivial(D d, hn::Vec<D> a, hn::Vec<D> b) {
    return hn::Or(hn::Eq(a, hn::Zero(d)), hn::Eq(b, hn::Zero(d)));
  }
  template <size_t kCount>
  HWY_INLINE static Wides<kCount> Of(const Wides<kCount>& a, const Wides<kCount>& b) {
    return PowerOf(a, b);
  }
  template <class D>
  HWY_INLINE static hn::Vec<D> Finish(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> result) {
    const auto of_zero = hn::IfThenElse(hn::Gt(b, hn::Zero(d)), hn::Zero(d), hn::Set(d, FLT_MAX));
    result = hn::IfThenElse(hn::Eq(a, hn::Zero(d)), of_zero, result);
    return hn::IfThenElse(hn::Eq(b, hn::Zero(d)), hn::Set(d, 1.0F), result);
  }
};

// As many vectors at once as there are registers for.
template <class Rule>
HWY_NOINLINE void RunLong(const Instruction& i, Frame& frame) {
  constexpr size_t kCount = 4;
  const H32 h;
  HalfOperands operands(i, frame);
  float* to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kLanes; lane += kCount * hn::Lanes(h)) {
    VH first[kCount], second[kCount];
    operands.Next(first[0], second[0]);
    auto are_trivial = Rule::IsTrivial(h, first[0], second[0]);
    for (size_t k = 1; k < kCount; ++k) {
      operands.Next(first[k], second[k]);
      are_trivial = hn::And(are_trivial, Rule::IsTrivial(h, first[k], second[k]));
    }
    VH results[kCount];
    if (hn::AllTrue(h, are_trivial)) {
      for (VH& result : results)
        result = hn::Zero(h);
    } else {
      Wides<kCount> x, y;
      for (size_t k = 0; k < kCount; ++k) {
        x.v[k] = hn::PromoteTo(F64(), first[k]);
        y.v[k] = hn::PromoteTo(F64(), second[k]);
      }
      x = Rule::Of(x, y);
      for (size_t k = 0; k < kCount; ++k)
        results[k] = NearestFloats(h, x.v[k]);
    }
    for (size_t k = 0; k < kCount; ++k)
      hn::Store(Rule::Finish(h, first[k], second[k], results[k]), h, to + lane + k * hn::Lanes(h));
  }
}

// Runs the function of a rule. Where all lanes are trivial, nothing of its steps is set up.
template <class Rule>
void Long(const Instruction& i, Frame& frame) {
  const F32 d;
  const Source a(i.a, frame);
  const Source b(i.b, frame);
  auto are_trivial = Rule::IsTrivial(d, a.At(0), b.At(0));
  for (size_t lane = hn::Lanes(d); lane < kLanes; lane += hn::Lanes(d))
    are_trivial = hn::And(are_trivial, Rule::IsTrivial(d, a.At(lane), b.At(lane)));
  if (!hn::AllTrue(d, are_trivial)) return RunLong<Rule>(i, frame);
  Binary(i, frame, [](VF x, VF y) { return Rule::Finish(F32(), x, y, hn::Zero(F32())); });
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
  table[Op::kExp2] = Long<Exp2Rule>;
  table[Op::kLog2] = Long<Log2Rule>;
  table[Op::kPower] = Long<PowerRule>;
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
