// The components of a triangle at the corner of a block. Included once for each target. Source: lib/raster/rendering.md 0.3 (rule 9) and
// 1.3.
#if defined(DP2TRACE_FAST_PLANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_PLANES_INL_H_
#undef DP2TRACE_FAST_PLANES_INL_H_
#else
#define DP2TRACE_FAST_PLANES_INL_H_
#endif

#include "fast/machine/lanes-inl.h"
#include "fast/tile/triangle.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// So far from vertex 0. What is constant keeps its bits.
HWY_INLINE void FindBases(const Triangle& t, uint32_t padded, double dx, double dy, float* bases) {
  using D4 = hn::CappedTag<double, 4>;
  using D8 = hn::CappedTag<double, 8>;
  const ConstPlanes planes = PlanesOf(t, padded);
  const auto find = [&](auto d, size_t i) {
    const hn::Rebind<float, decltype(d)> df;
    const auto origin = hn::LoadU(d, planes.origin + i);
    const auto along_x =
        hn::Add(origin, hn::Mul(hn::LoadU(d, planes.gradient_x + i), hn::Set(d, dx)));
    const auto value =
        hn::Add(along_x, hn::Mul(hn::LoadU(d, planes.gradient_y + i), hn::Set(d, dy)));
    const auto bits = static_cast<uint8_t>(t.constant >> i);
    const auto chosen = hn::IfThenElse(hn::LoadMaskBits(d, &bits), origin, value);
    hn::StoreU(NearestFloats(df, chosen), df, bases + i);
  };
  size_t i = 0;
  for (; i + 8 <= padded && hn::MaxLanes(D8()) == 8; i += 8)
    find(D8(), i);
  for (; i < padded; i += hn::Lanes(D4()))
    find(D4(), i);
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
