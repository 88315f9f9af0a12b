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
#include "fast/texture/lod-inl.h"
#include "fast/texture/wide_texture.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

class WideFilter {
 public:
  HWY_INLINE WideFilter(const WideTexture& texture, uint32_t level, const Footprint& at)
      : WideFilter(texture, level, at.at[0], at.at[1], at.at[2]) {
    if (texture.is_volume) z_ = Quantize(level_.axes[2], at.at[2]);
    if (texture.is_cube)
      first_ = hn::Add(first_, hn::Mul(at.face, hn::Set(I32(), texture.face_size)));
  }
  // Of a plane. `reference` matters where depth is compared.
  HWY_INLINE WideFilter(const WideTexture& texture, uint32_t level, VF u, VF v, VF reference)
      : texture_(texture), level_(texture.levels[level]), reference_(reference) {
    x_ = Quantize(level_.axes[0], u);
    y_ = Quantize(level_.axes[1], v);
    z_ = hn::Zero(I32());
    first_ = hn::Set(I32(), level_.first);
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

  template <raster::Filter kFilter>
  HWY_INLINE Colors OfPlane() const {
    static_assert(kFilter == raster::Filter::kLinear || kFilter == raster::Filter::kPoint);
    return kFilter == raster::Filter::kLinear ? Linear(first_) : Point(first_);
  }

  // Lanes whose nearest texel matches the colour key.
  HWY_INLINE uint64_t Keyed() const {
    const I32 di;
    const VI slice = texture_.is_volume ? SliceAt(Texel(z_)) : first_;
    const VI row = hn::Add(slice, Tap(level_.axes[1], Texel(y_)));
    const VI texel = hn::Max(hn::Add(row, Tap(level_.axes[0], Texel(x_))), hn::Zero(di));
    const VI keyed = hn::GatherIndex(di, texture_.keyed.data(), texel);
    return BitsOf(di, hn::Ne(keyed, hn::Zero(di)));
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
  // True where an index and `more` after it are of the texture in all lanes.
  HWY_INLINE static bool AreInside(const WideAxis& axis, VI i, int32_t more) {
    const I32 d;
    return hn::AllTrue(
        d, hn::And(hn::Gt(i, hn::Set(d, -1)), hn::Lt(i, hn::Set(d, axis.axis.size - more))));
  }
  HWY_INLINE static VI Inside(const WideAxis& axis, VI i) {
    return axis.stride == 1 ? i : hn::Mul(i, hn::Set(I32(), axis.stride));
  }
  HWY_INLINE VI OneTap(const WideAxis& axis, VI i) const {
    return AreInside(axis, i, 0) ? Inside(axis, i) : Tap(axis, i);
  }
  // Of an index and the next one; true where both are of the texture in all lanes.
  HWY_INLINE bool TwoTaps(const WideAxis& axis, VI i, VI& first, VI& second) const {
    const I32 d;
    if (AreInside(axis, i, 1)) {
      first = Inside(axis, i);
      second = hn::Add(first, hn::Set(d, axis.stride));
      return true;
    }
    first = Tap(axis, i);
    second = Tap(axis, hn::Add(i, hn::Set(d, 1)));
    return false;
  }
  HWY_INLINE VI SliceAt(VI z) const { return hn::Add(first_, Tap(level_.axes[2], z)); }

  // R, G, B, A of texels by their numbers, those below 0 the border.
  HWY_INLINE Colors Load(VI texel) const {
    const F32 d;
    Colors colors = texture_.is_single ? OfFirst(LoadFirst(texel)) : LoadColors(texel);
    if (!texture_.compares_depth) return colors;
    const VF passes = hn::IfThenElseZero(hn::Le(reference_, colors.c[0]), hn::Set(d, 1.0F));
    const auto is_border = hn::RebindMask(d, hn::Lt(texel, hn::Zero(I32())));
    for (VF& channel : colors.c)
      channel = hn::IfThenElse(is_border, channel, passes);
    return colors;
  }

  // Of a texture whose texels are four numbers.
  HWY_INLINE Colors LoadColors(VI texel) const {
    const F32 d;
    const B8 d8;
    alignas(64) int32_t index[16];
    hn::Store(hn::ShiftLeft<2>(hn::Max(texel, hn::Zero(I32()))), I32(), index);
    // GCC takes the numbers out of the vector one by one unless they have to be in memory.
    asm volatile("" : : "r"(index) : "memory");
    const auto* const words = reinterpret_cast<const uint32_t*>(texture_.texels.get());
    return Transposed(hn::BitCast(d, LoadFours(d8, words, index)),
                      hn::BitCast(d, LoadFours(d8, words, index + 1)),
                      hn::BitCast(d, LoadFours(d8, words, index + 2)),
                      hn::BitCast(d, LoadFours(d8, words, index + 3)));
  }
  // Of a texture whose texels are one number, and have no border.
  HWY_INLINE VF LoadFirst(VI texel) const {
    const auto* const numbers = reinterpret_cast<const int32_t*>(texture_.texels.get());
    return hn::BitCast(F32(), LoadPlaces(I32(), numbers, texel));
  }
  HWY_INLINE Colors OfFirst(VF first) const {
    const VF other = texture_.repeats_first ? first : hn::Set(F32(), 1.0F);
    return {first, other, other, other};
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
    const VI row = hn::Add(slice, OneTap(level_.axes[1], Texel(y_)));
    Colors colors = Load(hn::Add(row, OneTap(level_.axes[0], Texel(x_))));
    if (!texture_.is_exact) return colors;
    for (size_t c = 0; c < 4; ++c)
      colors.c[c] = hn::Mul(colors.c[c], hn::Set(F32(), texture_.scales[c] * 65536.0F));
    return colors;
  }

  HWY_INLINE Colors Linear(VI slice) const {
    VI left, right, upper, lower;
    bool is_inside = TwoTaps(level_.axes[0], Texel(Centred(x_)), left, right);
    is_inside = TwoTaps(level_.axes[1], Texel(Centred(y_)), upper, lower) && is_inside;
    if (texture_.is_volume)  // slices may be border
      is_inside = is_inside && hn::AllTrue(I32(), hn::Gt(slice, hn::Set(I32(), -1)));
    upper = hn::Add(slice, upper);
    lower = hn::Add(slice, lower);
    const VF fx = Fraction(Centred(x_));
    const VF fy = Fraction(Centred(y_));
    if (texture_.compares_depth) return Compared(left, right, upper, lower);
    if (texture_.is_single) {
      const VF above = Lerp(LoadFirst(hn::Add(upper, left)), LoadFirst(hn::Add(upper, right)), fx);
      const VF below = Lerp(LoadFirst(hn::Add(lower, left)), LoadFirst(hn::Add(lower, right)), fx);
      return OfFirst(Lerp(above, below, fy));
    }
    LinearTaps taps;
    SetWords(hn::Add(upper, left), taps.words[0]);
    SetWords(hn::Add(lower, left), taps.words[1]);
    if (!is_inside) {
      SetWords(hn::Add(upper, right), taps.words[2]);
      SetWords(hn::Add(lower, right), taps.words[3]);
    }
    // GCC takes the numbers out of the vectors one by one unless they have to be in memory.
    asm volatile("" : : "r"(&taps) : "memory");
    return is_inside ? Mixed<true>(taps, fx, fy) : Mixed<false>(taps, fx, fy);
  }

  Colors Compared(VI left, VI right, VI upper, VI lower) const {
    const VF fx = Fraction(Centred(x_));
    return LerpColors(LerpColors(Load(hn::Add(upper, left)), Load(hn::Add(upper, right)), fx),
                      LerpColors(Load(hn::Add(lower, left)), Load(hn::Add(lower, right)), fx),
                      Fraction(Centred(y_)));
  }

  // The first words of four texels for each lane: upper and lower left, upper and lower right.
  struct LinearTaps {
    alignas(64) int32_t words[4][16];

    // Written out: an implicit one would not be compiled for the instruction set.
    HWY_INLINE LinearTaps() {}
  };
  HWY_INLINE static void SetWords(VI texel, int32_t (&words)[16]) {
    hn::Store(hn::ShiftLeft<2>(hn::Max(texel, hn::Zero(I32()))), I32(), words);
  }

  // kIsInside: the right texels are next to the left ones.
  template <bool kIsInside>
  HWY_INLINE Colors Mixed(const LinearTaps& taps, VF fx, VF fy) const {
    if (!texture_.is_exact) {
      return Transposed(Lerped<kIsInside, 0>(taps, fx, fy), Lerped<kIsInside, 1>(taps, fx, fy),
                        Lerped<kIsInside, 2>(taps, fx, fy), Lerped<kIsInside, 3>(taps, fx, fy));
    }
    const VF of_one = hn::Set(F32(), 256.0F);
    const VF wx = hn::Mul(fx, of_one);
    const VF wy = hn::Mul(fy, of_one);
    Colors sums =
        Transposed(Summed<kIsInside, 0>(taps, wx, wy), Summed<kIsInside, 1>(taps, wx, wy),
                   Summed<kIsInside, 2>(taps, wx, wy), Summed<kIsInside, 3>(taps, wx, wy));
    for (size_t c = 0; c < 4; ++c)
      sums.c[c] = hn::Mul(sums.c[c], hn::Set(F32(), texture_.scales[c]));
    return sums;
  }

  // R, G, B, A of one lane in each part of 128 bits: lanes kJ, kJ + 4 and so on.
  template <bool kIsInside, int kJ>
  HWY_INLINE VF Tap(const LinearTaps& taps, bool is_right, bool is_lower) const {
    const auto* const words = reinterpret_cast<const uint32_t*>(texture_.texels.get());
    const size_t row = is_lower ? 1 : 0;
    const bool is_own = is_right && !kIsInside;
    return hn::BitCast(F32(), LoadFours(B8(), words + (is_right && kIsInside ? 4 : 0),
                                        taps.words[is_own ? row + 2 : row] + kJ));
  }
  template <bool kIsInside, int kJ>
  HWY_INLINE VF Lerped(const LinearTaps& taps, VF fx, VF fy) const {
    const VF x = hn::Broadcast<kJ>(fx);
    const auto row = [&](bool is_lower) {
      const VF a = Tap<kIsInside, kJ>(taps, false, is_lower);
      const VF b = Tap<kIsInside, kJ>(taps, true, is_lower);
      return hn::Add(a, hn::Mul(x, hn::Sub(b, a)));
    };
    const VF upper = row(false);
    return hn::Add(upper, hn::Mul(hn::Broadcast<kJ>(fy), hn::Sub(row(true), upper)));
  }
  // Integers below 2^24, with any order of these operations.
  template <bool kIsInside, int kJ>
  HWY_INLINE VF Summed(const LinearTaps& taps, VF wx, VF wy) const {
    const VF of_one = hn::Set(F32(), 256.0F);
    const VF right = hn::Broadcast<kJ>(wx);
    const VF left = hn::Sub(of_one, right);
    const auto row = [&](bool is_lower) {
      return hn::Add(hn::Mul(Tap<kIsInside, kJ>(taps, false, is_lower), left),
                     hn::Mul(Tap<kIsInside, kJ>(taps, true, is_lower), right));
    };
    const VF lower = hn::Broadcast<kJ>(wy);
    return hn::Add(hn::Mul(row(false), hn::Sub(of_one, lower)), hn::Mul(row(true), lower));
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
  HWY_INLINE static void AddWeighted(const Colors& color, VF weight, bool is_first, Colors& sum) {
    for (size_t c = 0; c < 4; ++c) {
      const VF weighted = hn::Mul(color.c[c], weight);
      sum.c[c] = is_first ? weighted : hn::Add(sum.c[c], weighted);
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
        AddWeighted(Load(hn::Add(row, Column(hn::Add(x, hn::Set(I32(), i - 1))))), along_x.w[i],
                    i == 0, sum);
      }
      AddWeighted(sum, along_y.w[j], j == 0, result);
    }
    return result;
  }

  // (a + 2 b) + c.
  template <class ColorAt>
  HWY_INLINE static Colors Weighted121(const ColorAt& at) {
    const Colors a = at(-1);
    const Colors b = at(0);
    const Colors c = at(1);
    Colors sum;
    for (size_t i = 0; i < 4; ++i)
      sum.c[i] = hn::Add(hn::Add(a.c[i], hn::Mul(Of(2.0F), b.c[i])), c.c[i]);
    return sum;
  }

  Colors GaussianQuad(VI slice) const {
    Colors result = Weighted121([&](int32_t j) {
      const VI row = Row(slice, hn::Add(Texel(y_), hn::Set(I32(), j)));
      return Weighted121([&](int32_t i) {
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
