// What kernels share. Included once for each target, inside of none of its namespaces; see README, "How to add a kernel".
// Arithmetic of determinism profile D1 on vectors: no fused operations, no estimates (lib/raster/rendering.md 0.3).
#if defined(DP2TRACE_FAST_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_LANES_INL_H_
#undef DP2TRACE_FAST_LANES_INL_H_
#else
#define DP2TRACE_FAST_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include "fast/machine/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, 16>;
using I32 = hn::RebindToSigned<F32>;
using U32 = hn::RebindToUnsigned<F32>;
using VF = hn::Vec<F32>;
using VI = hn::Vec<I32>;
using VU = hn::Vec<U32>;

// min(a, b) = a < b ? a : b, max(a, b) = a > b ? a : b: the second operand wins where they are equal or unordered (rule 5). x86 has
// these as instructions, and a conversion without Highway's care for numbers out of range.
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define DP2TRACE_FAST_RAW(raw_float, raw_double, raw_int, prefix) \
  HWY_INLINE raw_float RawMin(raw_float a, raw_float b) {         \
    return prefix##_min_ps(a, b);                                 \
  }                                                               \
  HWY_INLINE raw_float RawMax(raw_float a, raw_float b) {         \
    return prefix##_max_ps(a, b);                                 \
  }                                                               \
  HWY_INLINE raw_double RawMin(raw_double a, raw_double b) {      \
    return prefix##_min_pd(a, b);                                 \
  }                                                               \
  HWY_INLINE raw_double RawMax(raw_double a, raw_double b) {      \
    return prefix##_max_pd(a, b);                                 \
  }                                                               \
  HWY_INLINE raw_int RawTruncate(raw_float a) {                   \
    return prefix##_cvttps_epi32(a);                              \
  }
DP2TRACE_FAST_RAW(__m128, __m128d, __m128i, _mm)
#if HWY_TARGET != HWY_SSE4
DP2TRACE_FAST_RAW(__m256, __m256d, __m256i, _mm256)
#endif
#if HWY_TARGET == HWY_AVX3
DP2TRACE_FAST_RAW(__m512, __m512d, __m512i, _mm512)
#endif
#undef DP2TRACE_FAST_RAW

template <class V>
HWY_INLINE V Min5(V a, V b) {
  return V{RawMin(a.raw, b.raw)};
}
template <class V>
HWY_INLINE V Max5(V a, V b) {
  return V{RawMax(a.raw, b.raw)};
}
// Of numbers that an int32 holds, towards 0.
template <class D>
HWY_INLINE hn::Vec<D> TruncateTo(D, hn::Vec<hn::Rebind<float, D>> x) {
  return hn::Vec<D>{RawTruncate(x.raw)};
}
#else
template <class V>
HWY_INLINE V Min5(V a, V b) {
  return hn::IfThenElse(hn::Lt(a, b), a, b);
}
template <class V>
HWY_INLINE V Max5(V a, V b) {
  return hn::IfThenElse(hn::Gt(a, b), a, b);
}
template <class D>
HWY_INLINE hn::Vec<D> TruncateTo(D d, hn::Vec<hn::Rebind<float, D>> x) {
  return hn::ConvertTo(d, x);
}
#endif
// min(max(x, 0), 1): NaN and -0 give +0.
HWY_INLINE VF Saturate5(VF x) {
  const F32 d;
  return Min5(Max5(x, hn::Zero(d)), hn::Set(d, 1.0F));
}

// The nearest binary32, infinite where no number is as large. Highway takes the largest number where it has no instruction.
template <class D>
HWY_INLINE hn::Vec<D> NearestFloats(D d, hn::Vec<hn::Rebind<double, D>> x) {
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  const hn::Rebind<double, D> wide;
  alignas(64) double numbers[hn::MaxLanes(D())];
  alignas(64) float nearest[hn::MaxLanes(D())];
  hn::Store(x, wide, numbers);
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    nearest[i] = static_cast<float>(numbers[i]);
  return hn::Load(d, nearest);
#else
  return hn::DemoteTo(d, x);
#endif
}

// A bit for each lane, from the first one on.
template <class D>
HWY_INLINE uint64_t BitsOf(D d, hn::Mask<D> mask) {
  uint8_t bits[8];
  hn::StoreMaskBits(d, mask, bits);
  // A byte that is not read need not be written, too, and waited for.
  if constexpr (hn::MaxLanes(D()) <= 8) return bits[0];
  return bits[0] | uint64_t{bits[1]} << 8;
}

// An operand as a kernel reads it: a register, or a constant that repeats.
class Source {
 public:
  Source(Operand operand, const Frame& frame)
      : base_(operand.is_constant() ? frame.constants[operand.number()].lanes.data()
                                    : frame.registers[operand.number()].lanes.data()),
        mask_(operand.is_constant() ? 0 : ~size_t{0}) {}  // constants repeat
  HWY_INLINE VF At(size_t lane) const { return hn::Load(F32(), base_ + (lane & mask_)); }
  HWY_INLINE VU WordsAt(size_t lane) const { return hn::BitCast(U32(), At(lane)); }

 private:
  const float* HWY_RESTRICT base_;
  size_t mask_;
};

// Of the first kCount lanes.
template <size_t kCount = kLanes, class Function>
HWY_INLINE void Unary(const Instruction& i, Frame& frame, const Function& function) {
  const F32 d;
  const Source a(i.a, frame);
  float* HWY_RESTRICT to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kCount; lane += hn::Lanes(d))
    hn::Store(function(a.At(lane)), d, to + lane);
}
template <size_t kCount = kLanes, class Function>
HWY_INLINE void Binary(const Instruction& i, Frame& frame, const Function& function) {
  const F32 d;
  const Source a(i.a, frame);
  const Source b(i.b, frame);
  float* to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kCount; lane += hn::Lanes(d))
    hn::Store(function(a.At(lane), b.At(lane)), d, to + lane);
}
template <size_t kCount = kLanes, class Function>
HWY_INLINE void Ternary(const Instruction& i, Frame& frame, const Function& function) {
  const F32 d;
  const Source a(i.a, frame);
  const Source b(i.b, frame);
  const Source c(i.c, frame);
  float* to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kCount; lane += hn::Lanes(d))
    hn::Store(function(a.At(lane), b.At(lane), c.At(lane)), d, to + lane);
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
