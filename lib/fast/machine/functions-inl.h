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
  // The exponent as a number: its bits after those of 2^52.
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

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
