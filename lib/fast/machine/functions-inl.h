// Transcendental functions of binary64 vectors, with the bits of base/transcendental.h. Included once for each target.
// Source: lib/raster/rendering.md 0.4.
#if defined(DP2TRACE_FAST_FUNCTIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_FUNCTIONS_INL_H_
#undef DP2TRACE_FAST_FUNCTIONS_INL_H_
#else
#define DP2TRACE_FAST_FUNCTIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <cfloat>

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

// Several vectors at once: each step depends on the one before, and those of different vectors go side by side.
template <size_t kCount>
struct Wides {
  VD v[kCount];

  template <class Function>
  HWY_INLINE void Apply(const Function& function) {
    for (VD& x : v)
      x = function(x);
  }
};

// The vectors are made before any that are asked for later: GCC would put all steps of one vector together, where each waits for the one
// before.
template <size_t kCount>
HWY_INLINE void Step(Wides<kCount>& x) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  for (VD& number : x.v)
    asm volatile("" : "+v"(number.raw));
#else
  (void)x;
#endif
}

// Coefficients from the highest power down to 1.
template <size_t kTerms, size_t kCount>
HWY_INLINE Wides<kCount> Horner(const double (&coefficients)[kTerms], const Wides<kCount>& x) {
  Wides<kCount> p;
  for (VD& number : p.v)
    number = Wide(coefficients[0]);
  for (size_t k = 1; k < kTerms; ++k) {
    for (size_t i = 0; i < kCount; ++i)
      p.v[i] = hn::Add(hn::Mul(p.v[i], x.v[i]), Wide(coefficients[k]));
    Step(p);
  }
  return p;
}

// 2^x of any x; numbers that a float holds. Minima and maxima give a NaN as their second operand on; what is too small for a float
// becomes 0 with it.
template <size_t kCount>
HWY_INLINE Wides<kCount> Exp2Of(Wides<kCount> x) {
  constexpr double kTerms[] = {0x1.62c0223a5c822p-20, 0x1.ffcbfc588b0c5p-17, 0x1.430912f86c786p-13,
                               0x1.5d87fe78a6730p-10, 0x1.3b2ab6fba4e77p-7,  0x1.c6b08d704a0bfp-5,
                               0x1.ebfbdff82c58ep-3,  0x1.62e42fefa39efp-1,  0x1.0000000000000p+0};
  // Moves an integer to the exponent's place of its bits.
  constexpr double kExponent = 0x1p52 + 1023;
  const U64 u;
  x.Apply([](VD number) { return Min5(Wide(129.0), Max5(Wide(-151.0), number)); });
  Wides<kCount> n = x;
  n.Apply([](VD number) { return hn::Floor(hn::Add(number, Wide(0.5))); });
  for (size_t i = 0; i < kCount; ++i)
    x.v[i] = hn::Sub(x.v[i], n.v[i]);
  Wides<kCount> p = Horner(kTerms, x);
  for (size_t i = 0; i < kCount; ++i) {
    const VD scale = Truncated(hn::ShiftLeft<52>(hn::BitCast(u, hn::Add(n.v[i], Wide(kExponent)))));
    p.v[i] = Min5(Wide(double{FLT_MAX}), hn::Mul(p.v[i], scale));  // the product is exact
  }
  return p;
}
// The same of one vector.
HWY_INLINE VH Exp2OfWide(VD x) {
  return NearestFloats(H32(), Exp2Of(Wides<1>{{x}}).v[0]);
}

// log2 of x >= 0, without meaning for 0.
template <size_t kCount>
HWY_INLINE Wides<kCount> Log2Of(const Wides<kCount>& x) {
  constexpr double kTerms[] = {1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0};
  const F64 d;
  const U64 u;
  Wides<kCount> e, s, square;
  for (size_t i = 0; i < kCount; ++i) {
    const auto bits = hn::BitCast(u, x.v[i]);
    // The exponent as a number: its bits after those of 2^52.
    e.v[i] = hn::Sub(Truncated(hn::Or(hn::ShiftRight<52>(bits), hn::BitCast(u, Wide(0x1p52)))),
                     Wide(0x1p52 + 1022));
    VD m = Truncated(hn::Or(hn::And(bits, hn::Set(u, 0x000FFFFFFFFFFFFFull)),
                            hn::Set(u, 0x3FE0000000000000ull)));  // [0.5, 1)
    const auto is_small = hn::Lt(m, Wide(0.70710678118654752440));
    m = hn::IfThenElse(is_small, hn::Add(m, m), m);
    e.v[i] = hn::Sub(e.v[i], hn::IfThenElseZero(is_small, Wide(1.0)));
    s.v[i] = hn::Div(hn::Sub(m, Wide(1.0)), hn::Add(m, Wide(1.0)));
    square.v[i] = hn::Mul(s.v[i], s.v[i]);
  }
  Wides<kCount> p = Horner(kTerms, square);
  for (size_t i = 0; i < kCount; ++i) {
    VD result = hn::Add(hn::Mul(Wide(0x1.71547652b82fep+1), hn::Mul(s.v[i], p.v[i])), e.v[i]);
    result = Min5(result, Wide(128.0));  // of infinity
    p.v[i] = hn::IfThenElse(hn::Eq(x.v[i], x.v[i]), result, hn::Add(x.v[i], hn::Zero(d)));
  }
  return p;
}
HWY_INLINE VD Log2OfWide(VD x) {
  return Log2Of(Wides<1>{{x}}).v[0];
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
