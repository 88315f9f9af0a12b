// The test of quantised depth against words of a surface, for one vector of lanes. Included once for each target.
// Source: lib/raster/rendering-output.md 5.4.
#if defined(DP2TRACE_FAST_DEPTH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_DEPTH_INL_H_
#undef DP2TRACE_FAST_DEPTH_INL_H_
#else
#define DP2TRACE_FAST_DEPTH_INL_H_
#endif

#include "fast/machine/lanes-inl.h"
#include "fast/tile/raster_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// A D3DCMPFUNC of unsigned numbers. `D` is a tag of signed integers of 32 bits.
template <class D>
class CompareWords {
 public:
  using DU = hn::RebindToUnsigned<D>;
  using V = hn::Vec<D>;
  using VUnsigned = hn::Vec<DU>;

  HWY_INLINE explicit CompareWords(const Comparison& passing)
      : less_(Choice(passing.less)),
        equal_(Choice(passing.equal)),
        greater_(Choice(passing.greater)) {}

  HWY_INLINE hn::Mask<D> Passing(VUnsigned left, VUnsigned right) const {
    const D d;
    // As signed numbers they are in the same order with the highest bit flipped.
    const VUnsigned flip = hn::Set(DU(), 0x80000000U);
    const V a = hn::BitCast(d, hn::Xor(left, flip));
    const V b = hn::BitCast(d, hn::Xor(right, flip));
    const V is_less = hn::VecFromMask(d, hn::Lt(a, b));
    const V is_greater = hn::VecFromMask(d, hn::Gt(a, b));
    const V is_equal = hn::Not(hn::Or(is_less, is_greater));
    const V passes = hn::Or(hn::Or(hn::And(is_less, less_), hn::And(is_greater, greater_)),
                            hn::And(is_equal, equal_));
    return hn::Lt(passes, hn::Zero(d));
  }

 private:
  HWY_INLINE static V Choice(bool is_passing) { return hn::Set(D(), is_passing ? -1 : 0); }

  V less_, equal_, greater_;
};

// Depth in the words of a surface.
template <class D>
class DepthWords {
 public:
  using DU = hn::RebindToUnsigned<D>;
  using VUnsigned = hn::Vec<DU>;

  HWY_INLINE explicit DepthWords(const DepthTest& test)
      : compare_(test.passing),
        field_(hn::Set(DU(), test.format.mask)),
        keep_(hn::Set(DU(), test.format.keep)),
        shift_(static_cast<int>(test.format.shift)) {}

  // The lanes whose depth passes.
  HWY_INLINE hn::Mask<D> Passing(VUnsigned depth, VUnsigned words) const {
    return compare_.Passing(depth, hn::And(hn::ShiftRightSame(words, shift_), field_));
  }
  // The words with this depth.
  HWY_INLINE VUnsigned With(VUnsigned depth, VUnsigned words) const {
    return hn::Or(hn::ShiftLeftSame(depth, shift_), hn::And(words, keep_));
  }

 private:
  CompareWords<D> compare_;
  VUnsigned field_, keep_;
  int shift_;
};

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
