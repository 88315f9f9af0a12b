// The test of quantised depth against words of a surface, for one vector of lanes. Included once for each target.
// Source: rendering specification, 5.4.
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

// `D` is a tag of signed integers of 32 bits: depth has fewer.
template <class D>
class DepthWords {
 public:
  using DU = hn::RebindToUnsigned<D>;
  using V = hn::Vec<D>;
  using VUnsigned = hn::Vec<DU>;

  HWY_INLINE explicit DepthWords(const DepthTest& test)
      : less_(Choice(test.passes_less)),
        equal_(Choice(test.passes_equal)),
        greater_(Choice(test.passes_greater)),
        field_(hn::Set(DU(), test.format.mask)),
        keep_(hn::Set(DU(), test.format.keep)),
        shift_(static_cast<int>(test.format.shift)) {}

  // The lanes whose depth passes.
  HWY_INLINE hn::Mask<D> Passing(VUnsigned depth, VUnsigned words) const {
    const D d;
    const V stored = hn::BitCast(d, hn::And(hn::ShiftRightSame(words, shift_), field_));
    const V z = hn::BitCast(d, depth);
    const V is_less = hn::VecFromMask(d, hn::Lt(z, stored));
    const V is_greater = hn::VecFromMask(d, hn::Gt(z, stored));
    const V is_equal = hn::Not(hn::Or(is_less, is_greater));
    const V passes = hn::Or(hn::Or(hn::And(is_less, less_), hn::And(is_greater, greater_)),
                            hn::And(is_equal, equal_));
    return hn::Lt(passes, hn::Zero(d));
  }
  // The words with this depth.
  HWY_INLINE VUnsigned With(VUnsigned depth, VUnsigned words) const {
    return hn::Or(hn::ShiftLeftSame(depth, shift_), hn::And(words, keep_));
  }

 private:
  HWY_INLINE static V Choice(bool is_passing) { return hn::Set(D(), is_passing ? -1 : 0); }

  V less_, equal_, greater_;
  VUnsigned field_, keep_;
  int shift_;
};

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
