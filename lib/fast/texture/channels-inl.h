// Channels of pixels to numbers, for one vector of lanes. Included once for each target.
// Source: lib/raster/rendering-texture.md 3.7 and 3.11.
#if defined(DP2TRACE_FAST_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_CHANNELS_INL_H_
#undef DP2TRACE_FAST_CHANNELS_INL_H_
#else
#define DP2TRACE_FAST_CHANNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "fast/machine/lanes-inl.h"
#include "fast/texture/texel_channels.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

HWY_INLINE VU Words(uint32_t word) {
  return hn::Set(U32(), word);
}

// Exact; denormals, infinities and NaN are kept.
HWY_INLINE VF FloatOfHalf(VU half) {
  const F32 d;
  const I32 di;
  const VU sign = hn::ShiftLeft<16>(hn::And(half, Words(0x8000)));
  const VU exponent = hn::And(half, Words(0x7C00));
  const VU mantissa = hn::And(half, Words(0x3FF));
  const VF denormal = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, mantissa)), hn::Set(d, 0x1p-24F));
  const VU rebased = hn::IfThenElse(hn::Eq(exponent, Words(0x7C00)), Words(0x7F800000),
                                    hn::Add(hn::ShiftLeft<13>(exponent), Words(112U << 23)));
  const VU normal = hn::Or(rebased, hn::ShiftLeft<13>(mantissa));
  const VU magnitude =
      hn::IfThenElse(hn::Eq(exponent, Words(0)), hn::BitCast(U32(), denormal), normal);
  return hn::BitCast(d, hn::Or(sign, magnitude));
}

// A channel of a pixel in its words.
HWY_INLINE VF DecodedChannel(const TexelChannel& channel, const VU (&words)[4]) {
  const F32 d;
  const I32 di;
  using Kind = TexelChannel::Kind;
  if (channel.kind == Kind::kMissing) return hn::Set(d, channel.missing);
  const VU word = words[channel.word];
  if (channel.kind == Kind::kFloat) return hn::BitCast(d, word);
  const VU stored = hn::And(hn::ShiftRightSame(word, static_cast<int>(channel.shift)),
                            Words((1U << channel.bits) - 1));
  if (channel.kind == Kind::kHalf) return FloatOfHalf(stored);
  const VI value = hn::BitCast(di, stored);
  if (channel.kind == Kind::kDepth)
    return hn::Div(hn::ConvertTo(d, value), hn::Set(d, channel.largest));
  if (channel.linear != nullptr) return hn::GatherIndex(d, channel.linear, value);
  const VF scale = hn::Set(d, channel.scale);
  if (channel.kind == Kind::kUnsigned) return hn::Mul(hn::ConvertTo(d, value), scale);
  const auto is_negative =
      hn::Gt(value, hn::Set(di, static_cast<int32_t>((1U << (channel.bits - 1)) - 1)));
  const VI number = hn::IfThenElse(
      is_negative, hn::Sub(value, hn::Set(di, static_cast<int32_t>(1U << channel.bits))), value);
  return Max5(hn::Mul(hn::ConvertTo(d, number), scale), hn::Set(d, channel.lowest));
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
