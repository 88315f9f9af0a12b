// Point and linear filtering of one level of a texture in its fast form, for one vector of lanes. Included once for each target.
// Source: lib/raster/rendering-texture.md 3.2.
#if defined(DP2TRACE_FAST_FILTER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_FILTER_INL_H_
#undef DP2TRACE_FAST_FILTER_INL_H_
#else
#define DP2TRACE_FAST_FILTER_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <type_traits>

#include "fast/machine/lanes-inl.h"
#include "fast/texture/fast_texture.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

using S16 = hn::RepartitionToNarrow<I32>;
using B8 = hn::Repartition<uint8_t, F32>;
using W64 = hn::Repartition<uint64_t, F32>;

struct Colors {
  // Written out: implicit ones would not be compiled for the instruction set. A copy in smaller parts than vectors makes who loads a vector
  // wait until all parts are in memory.
  HWY_INLINE Colors() {}
  HWY_INLINE Colors(const Colors& other) : c{other.c[0], other.c[1], other.c[2], other.c[3]} {}
  HWY_INLINE Colors& operator=(const Colors& other) {
    for (size_t i = 0; i < 4; ++i)
      c[i] = other.c[i];
    return *this;
  }
  HWY_INLINE Colors(VF red, VF green, VF blue, VF alpha) : c{red, green, blue, alpha} {}
  VF c[4];
};

// One axis: coordinates to places among what is stored.
template <bool kIsPeriodic>
class AxisFilter {
 public:
  explicit AxisFilter(const FastAxis& axis) : axis_(axis) {}

  // floor(u * size * 256 + 0.5) of the conditioned coordinate.
  HWY_INLINE VI Quantize(VF u) const {
    const F32 d;
    if constexpr (kIsPeriodic) {
      // Of 1 and 1/2 the products are exact.
      const VF periods = hn::Floor(hn::Mul(u, hn::Set(d, axis_.rate)));
      u = hn::Sub(u, hn::Mul(hn::Set(d, axis_.period), periods));
      u = hn::IfThenElseZero(hn::Eq(u, u), u);  // infinities have become NaN
    } else {
      // NaN is 0 before the range is cut, which would make a number of it.
      u = hn::IfThenElseZero(hn::Eq(u, u), u);
      u = Min5(Max5(u, hn::Set(d, -axis_.limit)), hn::Set(d, axis_.limit));
    }
    const VF scaled = hn::Add(hn::Mul(u, hn::Set(d, axis_.scale)), hn::Set(d, 0.5F));
    return TruncateTo(I32(), hn::Floor(scaled));
  }

  // The number of an index among those that are stored. Periodic ones come within one period of them, since coordinates are conditioned.
  HWY_INLINE VI Place(VI i) const {
    const I32 d;
    if constexpr (kIsPeriodic) {
      // As unsigned numbers those outside are larger than what they stand for.
      const VU count = hn::Set(U32(), static_cast<uint32_t>(axis_.high + 1));
      VU place = hn::BitCast(U32(), i);
      place = hn::Min(place, hn::Add(place, count));
      return hn::BitCast(d, hn::Min(place, hn::Sub(place, count)));
    } else {
      i = hn::Min(hn::Max(i, hn::Set(d, axis_.low)), hn::Set(d, axis_.high));
      return hn::Sub(i, hn::Set(d, axis_.low));
    }
  }

 private:
  const FastAxis& axis_;
};

// Sixteen bytes for each of the 128-bit parts of a vector: those of lanes j, j + 4, j + 8 and so on.
template <class D>
HWY_INLINE hn::Vec<D> LoadFours(D d, const uint32_t* words, const int32_t* index) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    return hn::LoadU(d, reinterpret_cast<const uint8_t*>(words + index[0]));
  } else {
    const hn::Half<D> half;
    constexpr size_t kHalf = hn::MaxLanes(D()) / 8;
    return hn::Combine(d, LoadFours(half, words, index + kHalf), LoadFours(half, words, index));
  }
}

constexpr size_t kTexelsAhead = 16;

// Eight numbers from each of these places on.
template <class D>
HWY_INLINE hn::Vec<D> LoadRows(D d, const int32_t* from, hn::Vec<D> start) {
  if constexpr (hn::MaxLanes(D()) <= 8) {
    const int32_t* const row = from + hn::GetLane(start);
    // The blocks to the right are drawn next, and rows are too far from each other for the machine to see it.
    hwy::Prefetch(row + kTexelsAhead);
    return hn::LoadU(d, row);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, LoadRows(half, from, hn::UpperHalf(half, start)),
                       LoadRows(half, from, hn::LowerHalf(half, start)));
  }
}
// Numbers of 32 bits by their places. Where texels are drawn one to one, those of each row of eight lanes stand in a row: loads are then
// quicker than a gather.
template <class D>
HWY_INLINE hn::Vec<D> LoadPlaces(D d, const int32_t* from, hn::Vec<D> place) {
  if constexpr (hn::MaxLanes(D()) >= 8) {
    const auto start = hn::Sub(place, hn::And(hn::Iota(d, 0), hn::Set(d, 7)));
    const auto is_row = hn::And(hn::Eq(start, hn::Broadcast<0>(start)),
                                hn::Eq(start, hn::SwapAdjacentBlocks(start)));
    if (hn::AllTrue(d, is_row)) return LoadRows(d, from, start);
  }
  return hn::GatherIndex(d, from, place);
}

// R, G, B, A of one lane in each part of 128 bits (of lanes j, j + 4 and so on in the j-th vector) to one channel of all lanes.
HWY_INLINE Colors Transposed(VF r0, VF r1, VF r2, VF r3) {
  const F32 d;
  const W64 dw;
  const auto low01 = hn::BitCast(dw, hn::InterleaveLower(d, r0, r1));
  const auto high01 = hn::BitCast(dw, hn::InterleaveUpper(d, r0, r1));
  const auto low23 = hn::BitCast(dw, hn::InterleaveLower(d, r2, r3));
  const auto high23 = hn::BitCast(dw, hn::InterleaveUpper(d, r2, r3));
  return {hn::BitCast(d, hn::InterleaveLower(dw, low01, low23)),
          hn::BitCast(d, hn::InterleaveUpper(dw, low01, low23)),
          hn::BitCast(d, hn::InterleaveLower(dw, high01, high23)),
          hn::BitCast(d, hn::InterleaveUpper(dw, high01, high23))};
}

// a * 256 + (b - a) * weight: 16 bits hold it, and modular arithmetic on the way does no harm.
HWY_INLINE hn::Vec<S16> Mix(hn::Vec<S16> a, hn::Vec<S16> b, hn::Vec<S16> weight) {
  return hn::Add(hn::ShiftLeft<8>(a), hn::Mul(hn::Sub(b, a), weight));
}

// Where lanes sample a level linearly.
struct Taps {
  alignas(64) int32_t index[kLanes];    // the first word
  alignas(64) int32_t along_x[kLanes];  // weight of the right texels, twice
  alignas(64) float along_y[kLanes];    // weight of the lower texels

  // Written out: an implicit one would not be compiled for the instruction set.
  HWY_INLINE Taps() {}
};

template <bool kIsXPeriodic, bool kIsYPeriodic, bool kIsLinear>
class LevelFilter {
 public:
  LevelFilter(const FastTexture& texture, const FastLevel& level)
      : words_(texture.words.get() + level.offset),
        scales_(texture.scales.data()),
        shift_(texture.form.has_pairs ? 1 : 0),
        stride_(static_cast<int32_t>(level.stride)),
        x_(level.x),
        y_(level.y) {}

  HWY_INLINE Colors At(VF u, VF v) const {
    if constexpr (kIsLinear) {
      Taps taps;
      Find(u, v, 0, taps);
      return Mixed(taps, 0);
    } else {
      return Point(hn::ShiftRight<8>(x_.Quantize(u)), hn::ShiftRight<8>(y_.Quantize(v)));
    }
  }

  // Linear filtering in two steps, for a vector of lanes from `lane` on: what all vectors ask for is known before the first one waits
  // for its texels.
  HWY_INLINE void Find(VF u, VF v, size_t lane, Taps& taps) const {
    const F32 d;
    const I32 di;
    const VI qx = hn::Sub(x_.Quantize(u), hn::Set(di, 128));
    const VI qy = hn::Sub(y_.Quantize(v), hn::Set(di, 128));
    hn::Store(WordOf(hn::ShiftRight<8>(qx), hn::ShiftRight<8>(qy)), di, taps.index + lane);
    const VI fu = hn::And(qx, hn::Set(di, 255));
    hn::Store(hn::Or(fu, hn::ShiftLeft<16>(fu)), di, taps.along_x + lane);
    hn::Store(hn::ConvertTo(d, hn::And(qy, hn::Set(di, 255))), d, taps.along_y + lane);
  }
  HWY_INLINE Colors Mixed(const Taps& taps, size_t lane) const {
    const F32 d;
    const int32_t* const index = taps.index + lane;
    // GCC takes the numbers out of the vector one by one unless they have to be in memory.
    asm volatile("" : : "r"(index) : "memory");
    const VI along_x = hn::Load(I32(), taps.along_x + lane);
    const VF fv = hn::Load(d, taps.along_y + lane);
    const VF scales = hn::LoadDup128(d, scales_);
    return Transposed(Four<0>(index, along_x, fv, scales), Four<1>(index, along_x, fv, scales),
                      Four<2>(index, along_x, fv, scales), Four<3>(index, along_x, fv, scales));
  }

 private:
  // The first word of the elements.
  HWY_INLINE VI WordOf(VI x, VI y) const {
    const I32 d;
    const VI element = hn::Add(hn::Mul(y_.Place(y), hn::Set(d, stride_)), x_.Place(x));
    return hn::ShiftLeftSame(element, shift_);
  }

  HWY_INLINE Colors Point(VI x, VI y) const {
    const F32 d;
    const I32 di;
    const auto texel =
        hn::BitCast(U32(), LoadPlaces(di, reinterpret_cast<const int32_t*>(words_), WordOf(x, y)));
    const auto channel = [&](VU bits, size_t c) {
      const VI value = hn::BitCast(di, hn::And(bits, hn::Set(U32(), 255)));
      return hn::Mul(hn::ConvertTo(d, value), hn::Set(d, scales_[c] * 65536.0F));
    };
    return {channel(texel, 0), channel(hn::ShiftRight<8>(texel), 1),
            channel(hn::ShiftRight<16>(texel), 2), channel(hn::ShiftRight<24>(texel), 3)};
  }

  // All channels of lanes j, j + 4 and so on. Exact until the last product.
  template <int kJ>
  HWY_INLINE VF Four(const int32_t* index, VI along_x, VF along_y, VF scales) const {
    const F32 d;
    const I32 di;
    const S16 d16;
    const B8 d8;
    const auto taps = LoadFours(d8, words_, index + kJ);
    const auto left = hn::BitCast(d16, hn::InterleaveLower(d8, taps, hn::Zero(d8)));
    const auto right = hn::BitCast(d16, hn::InterleaveUpper(d8, taps, hn::Zero(d8)));
    const auto rows = Mix(left, right, hn::BitCast(d16, hn::Broadcast<kJ>(along_x)));
    const auto upper = hn::BitCast(di, hn::InterleaveLower(d16, rows, hn::Zero(d16)));
    const auto lower = hn::BitCast(di, hn::InterleaveUpper(d16, rows, hn::Zero(d16)));
    const VF second = hn::Broadcast<kJ>(along_y);
    const VF first = hn::Sub(hn::Set(d, 256.0F), second);
    const VF sum =
        hn::Add(hn::Mul(hn::ConvertTo(d, upper), first), hn::Mul(hn::ConvertTo(d, lower), second));
    return hn::Mul(sum, scales);
  }

  const uint32_t* words_;
  const float* scales_;
  int shift_;
  int32_t stride_;
  AxisFilter<kIsXPeriodic> x_;
  AxisFilter<kIsYPeriodic> y_;
};

// Calls function(is x periodic, is y periodic) with constants.
template <class Function>
HWY_INLINE auto WithAddress(const FastForm& form, const Function& function) {
  using Yes = std::true_type;
  using No = std::false_type;
  const bool is_y = IsPeriodic(form.address[1]);
  if (IsPeriodic(form.address[0])) return is_y ? function(Yes(), Yes()) : function(Yes(), No());
  return is_y ? function(No(), Yes()) : function(No(), No());
}

// All lanes from one level.
HWY_INLINE Colors FilterLevel(const FastTexture& texture, uint32_t number, bool is_linear, VF u,
                              VF v) {
  const FastLevel& level = texture.levels[number];
  return WithAddress(texture.form, [&](auto is_x, auto is_y) {
    if (is_linear) return LevelFilter<is_x.value, is_y.value, true>(texture, level).At(u, v);
    return LevelFilter<is_x.value, is_y.value, false>(texture, level).At(u, v);
  });
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
