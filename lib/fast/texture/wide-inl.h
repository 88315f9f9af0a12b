// All filters of one level of a wide texture, for one vector of lanes. Included once for each target.
// Source: lib/raster/rendering-texture.md 3.2, 3.3 and 3.5.
#if defined(DP2TRACE_FAST_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_WIDE_INL_H_
#undef DP2TRACE_FAST_WIDE_INL_H_
#else
#define DP2TRACE_FAST_WIDE_INL_H_
#endif

#include <hwy/highway.h>

#include "fast/machine/lanes-inl.h"
#include "fast/texture/filter-inl.h"
#include "fast/texture/footprint-inl.h"
#include "fast/texture/wide_texture.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// a + f * (b - a) in every channel.
HWY_INLINE Colors LerpColors(const Colors& a, const Colors& b, VF f) {
  Colors result;
  for (size_t c = 0; c < 4; ++c)
    result.c[c] = hn::Add(a.c[c], hn::Mul(f, hn::Sub(b.c[c], a.c[c])));
  return result;
}

class WideFilter {
 public:
  HWY_INLINE WideFilter(const WideTexture& texture, uint32_t level, const Footprint& at)
      : texture_(texture), level_(texture.levels[level]), reference_(at.at[2]) {
    x_ = Quantize(level_.axes[0], at.at[0]);
    y_ = Quantize(level_.axes[1], at.at[1]);
    z_ = texture.is_volume ? Quantize(level_.axes[2], at.at[2]) : hn::Zero(I32());
    first_ = hn::Set(I32(), level_.first);
    if (texture.is_cube)
      first_ = hn::Add(first_, hn::Mul(at.face, hn::Set(I32(), texture.face_size)));
  }

  // Unspecified: cubic and Gaussian filters in volumes; chosen: two slices are blended linearly, as with LINEAR.
  HWY_INLINE Colors At(raster::Filter filter) const {
    if (!texture_.is_volume) return Slice(filter, first_);
    if (filter == raster::Filter::kPoint) return Slice(filter, SliceAt(Texel(z_)));
    const VI z = Texel(Centred(z_));
    const Colors front = Slice(filter, SliceAt(z));
    return LerpColors(front, Slice(filter, SliceAt(hn::Add(z, hn::Set(I32(), 1)))),
                      Fraction(Centred(z_)));
  }

  // Lanes whose nearest texel matches the colour key.
  HWY_INLINE uint64_t Keyed() const {
    const I32 di;
    const VI slice = texture_.is_volume ? SliceAt(Texel(z_)) : first_;
    const VI row = hn::Add(slice, Tap(level_.axes[1], Texel(y_)));
    const VI texel = hn::Max(hn::Add(row, Tap(level_.axes[0], Texel(x_))), hn::Zero(di));
    const VI keyed = hn::GatherIndex(di, texture_.keyed.data(), texel);
    return BitsOf(hn::RebindMask(F32(), hn::Ne(keyed, hn::Zero(di))));
  }

 private:
  HWY_INLINE static VI Quantize(const WideAxis& axis, VF u) {
    return axis.is_periodic ? AxisFilter<true>(axis.axis).Quantize(u)
                            : AxisFilter<false>(axis.axis).Quantize(u);
  }
  HWY_INLINE static VI Texel(VI q) { return hn::ShiftRight<8>(q); }
  HWY_INLINE static VI Centred(VI q) { return hn::Sub(q, hn::Set(I32(), 128)); }
  HWY_INLINE static VF Fraction(VI q) {
    const VI bits = hn::And(q, hn::Set(I32(), 255));
    return hn::Mul(hn::ConvertTo(F32(), bits), hn::Set(F32(), 1.0F / 256.0F));
  }

  // What an index of an axis adds to the number of the texel.
  HWY_INLINE VI Tap(const WideAxis& axis, VI i) const {
    const I32 d;
    const VI low = hn::Set(d, axis.axis.low);
    i = hn::Sub(hn::Min(hn::Max(i, low), hn::Set(d, axis.axis.high)), low);
    return hn::GatherIndex(d, texture_.taps.data() + axis.first_tap, i);
  }
  // Of an index and the next one.
  HWY_INLINE void TwoTaps(const WideAxis& axis, VI i, VI& first, VI& second) const {
    const I32 d;
    const VI stride = hn::Set(d, axis.stride);
    const auto is_inside =
        hn::And(hn::Gt(i, hn::Set(d, -1)), hn::Lt(i, hn::Set(d, axis.axis.size - 1)));
    if (hn::AllTrue(d, is_inside)) {
      first = axis.stride == 1 ? i : hn::Mul(i, stride);
      second = hn::Add(first, stride);
    } else {
      first = Tap(axis, i);
      second = Tap(axis, hn::Add(i, hn::Set(d, 1)));
    }
  }
  HWY_INLINE VI SliceAt(VI z) const { return hn::Add(first_, Tap(level_.axes[2], z)); }

  // R, G, B, A of texels by their numbers, those below 0 the border.
  HWY_INLINE Colors Load(VI texel) const {
    const F32 d;
    const B8 d8;
    alignas(64) int32_t index[16];
    hn::Store(hn::ShiftLeft<2>(hn::Max(texel, hn::Zero(I32()))), I32(), index);
    // GCC takes the numbers out of the vector one by one unless they have to be in memory.
    asm volatile("" : : "r"(index) : "memory");
    const auto* const words = reinterpret_cast<const uint32_t*>(texture_.texels.get());
    Colors colors = Transposed(hn::BitCast(d, LoadFours(d8, words, index)),
                               hn::BitCast(d, LoadFours(d8, words, index + 1)),
                               hn::BitCast(d, LoadFours(d8, words, index + 2)),
                               hn::BitCast(d, LoadFours(d8, words, index + 3)));
    if (!texture_.compares_depth) return colors;
    const VF passes = hn::IfThenElseZero(hn::Le(reference_, colors.c[0]), hn::Set(d, 1.0F));
    const auto is_border = hn::RebindMask(d, hn::Lt(texel, hn::Zero(I32())));
    for (VF& channel : colors.c)
      channel = hn::IfThenElse(is_border, channel, passes);
    return colors;
  }

  Colors Slice(raster::Filter filter, VI slice) const {
    switch (filter) {
      case raster::Filter::kLinear:
        return Linear(slice);
      case raster::Filter::kFlatCubic:
        return Cubic(slice, CatmullRomWeights(Fraction(Centred(x_))),
                     CatmullRomWeights(Fraction(Centred(y_))));
      case raster::Filter::kGaussianCubic:
        return Cubic(slice, BSplineWeights(Fraction(Centred(x_))),
                     BSplineWeights(Fraction(Centred(y_))));
      case raster::Filter::kGaussianQuad:
        return GaussianQuad(slice);
      default:
        return Point(slice);
    }
  }

  HWY_INLINE VI Row(VI slice, VI y) const { return hn::Add(slice, Tap(level_.axes[1], y)); }
  HWY_INLINE VI Column(VI x) const { return Tap(level_.axes[0], x); }

  HWY_INLINE Colors Point(VI slice) const {
    Colors colors = Load(hn::Add(Row(slice, Texel(y_)), Column(Texel(x_))));
    if (!texture_.is_exact) return colors;
    for (size_t c = 0; c < 4; ++c)
      colors.c[c] = hn::Mul(colors.c[c], hn::Set(F32(), texture_.scales[c] * 65536.0F));
    return colors;
  }

  HWY_INLINE Colors Linear(VI slice) const {
    VI left, right, upper, lower;
    TwoTaps(level_.axes[0], Texel(Centred(x_)), left, right);
    TwoTaps(level_.axes[1], Texel(Centred(y_)), upper, lower);
    upper = hn::Add(slice, upper);
    lower = hn::Add(slice, lower);
    const Colors t00 = Load(hn::Add(upper, left));
    const Colors t10 = Load(hn::Add(upper, right));
    const Colors t01 = Load(hn::Add(lower, left));
    const Colors t11 = Load(hn::Add(lower, right));
    const VF fx = Fraction(Centred(x_));
    const VF fy = Fraction(Centred(y_));
    if (!texture_.is_exact)
      return LerpColors(LerpColors(t00, t10, fx), LerpColors(t01, t11, fx), fy);
    // Integers below 2^24, with any order of these operations.
    const VF of_one = hn::Set(F32(), 256.0F);
    const VF wx = hn::Mul(fx, of_one);
    const VF wy = hn::Mul(fy, of_one);
    const VF vx = hn::Sub(of_one, wx);
    const VF vy = hn::Sub(of_one, wy);
    Colors result;
    for (size_t c = 0; c < 4; ++c) {
      const VF first = hn::Add(hn::Mul(t00.c[c], vx), hn::Mul(t10.c[c], wx));
      const VF second = hn::Add(hn::Mul(t01.c[c], vx), hn::Mul(t11.c[c], wx));
      const VF sum = hn::Add(hn::Mul(first, vy), hn::Mul(second, wy));
      result.c[c] = hn::Mul(sum, hn::Set(F32(), texture_.scales[c]));
    }
    return result;
  }

  struct Weights {
    VF w[4];

    HWY_INLINE Weights() {}
    HWY_INLINE Weights(VF a, VF b, VF c, VF e) : w{a, b, c, e} {}
  };

  HWY_INLINE static VF Of(float x) { return hn::Set(F32(), x); }
  HWY_INLINE static Weights CatmullRomWeights(VF f) {
    const VF a =
        hn::Mul(hn::Sub(hn::Mul(hn::Add(hn::Mul(Of(-0.5F), f), Of(1.0F)), f), Of(0.5F)), f);
    const VF b = hn::Add(hn::Mul(hn::Mul(hn::Sub(hn::Mul(Of(1.5F), f), Of(2.5F)), f), f), Of(1.0F));
    const VF c =
        hn::Mul(hn::Add(hn::Mul(hn::Add(hn::Mul(Of(-1.5F), f), Of(2.0F)), f), Of(0.5F)), f);
    const VF e = hn::Mul(hn::Mul(hn::Sub(hn::Mul(Of(0.5F), f), Of(0.5F)), f), f);
    return {a, b, c, e};
  }
  HWY_INLINE static Weights BSplineWeights(VF f) {
    const VF g = hn::Sub(Of(1.0F), f);
    const VF six = Of(6.0F);
    const VF a = hn::Div(hn::Mul(hn::Mul(g, g), g), six);
    const VF b =
        hn::Div(hn::Add(hn::Mul(hn::Mul(hn::Sub(hn::Mul(Of(3.0F), f), six), f), f), Of(4.0F)), six);
    const VF inner = hn::Add(hn::Mul(hn::Add(hn::Mul(Of(-3.0F), f), Of(3.0F)), f), Of(3.0F));
    const VF c = hn::Div(hn::Add(hn::Mul(inner, f), Of(1.0F)), six);
    const VF e = hn::Div(hn::Mul(hn::Mul(f, f), f), six);
    return {a, b, c, e};
  }

  // The sum of four colours with weights, from left to right, one more with each call.
  HWY_INLINE static void Weigh(const Colors& color, VF weight, bool is_first, Colors& sum) {
    for (size_t c = 0; c < 4; ++c) {
      const VF weighed = hn::Mul(color.c[c], weight);
      sum.c[c] = is_first ? weighed : hn::Add(sum.c[c], weighed);
    }
  }

  Colors Cubic(VI slice, const Weights& along_x, const Weights& along_y) const {
    const VI x = Texel(Centred(x_));
    const VI y = Texel(Centred(y_));
    Colors result;
    for (int32_t j = 0; j < 4; ++j) {
      const VI row = Row(slice, hn::Add(y, hn::Set(I32(), j - 1)));
      Colors sum;
      for (int32_t i = 0; i < 4; ++i) {
        Weigh(Load(hn::Add(row, Column(hn::Add(x, hn::Set(I32(), i - 1))))), along_x.w[i], i == 0,
              sum);
      }
      Weigh(sum, along_y.w[j], j == 0, result);
    }
    return result;
  }

  // (a + 2 b) + c.
  template <class ColorAt>
  HWY_INLINE static Colors Weigh121(const ColorAt& at) {
    const Colors a = at(-1);
    const Colors b = at(0);
    const Colors c = at(1);
    Colors sum;
    for (size_t i = 0; i < 4; ++i)
      sum.c[i] = hn::Add(hn::Add(a.c[i], hn::Mul(Of(2.0F), b.c[i])), c.c[i]);
    return sum;
  }

  Colors GaussianQuad(VI slice) const {
    Colors result = Weigh121([&](int32_t j) {
      const VI row = Row(slice, hn::Add(Texel(y_), hn::Set(I32(), j)));
      return Weigh121([&](int32_t i) {
        return Load(hn::Add(row, Column(hn::Add(Texel(x_), hn::Set(I32(), i)))));
      });
    });
    for (VF& channel : result.c)
      channel = hn::Mul(channel, Of(1.0F / 16.0F));
    return result;
  }

  const WideTexture& texture_;
  const WideLevel& level_;
  const VF reference_;
  VI x_, y_, z_;  // in 1/256 texel
  VI first_;      // texel of the level, on the lane's face
};

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
