// Blending of one channel of a vector of pixels. Included once for each target. Source: lib/raster/rendering-output.md 5.6.
#if defined(DP2TRACE_FAST_BLEND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_BLEND_INL_H_
#undef DP2TRACE_FAST_BLEND_INL_H_
#else
#define DP2TRACE_FAST_BLEND_INL_H_
#endif

#include <hwy/highway.h>

#include "d3d/enums.h"
#include "fast/machine/lanes-inl.h"
#include "raster/pixel/blend.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

HWY_INLINE hn::Mask<U32> MaskOf(uint64_t bits) {
  const uint8_t bytes[8] = {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8)};
  return hn::LoadMaskBits(U32(), bytes);
}

struct BlendInputs {
  // Written out: an implicit one would not be compiled for the instruction set.
  HWY_INLINE BlendInputs() = default;
  VF source[4], second[4], destination[4];
};

HWY_INLINE VF Factor(d3d::BlendFactor factor, const raster::BlendPlan& plan, const BlendInputs& in,
                     size_t channel) {
  using d3d::BlendFactor;
  const F32 d;
  const VF one = hn::Set(d, 1.0F);
  switch (factor) {
    case BlendFactor::Zero:
      return hn::Zero(d);
    case BlendFactor::One:
      return one;
    case BlendFactor::SrcColor:
      return in.source[channel];
    case BlendFactor::InvSrcColor:
      return hn::Sub(one, in.source[channel]);
    case BlendFactor::SrcAlpha:
    case BlendFactor::BothSrcAlpha:
      return in.source[3];
    case BlendFactor::InvSrcAlpha:
    case BlendFactor::BothInvSrcAlpha:
      return hn::Sub(one, in.source[3]);
    case BlendFactor::DestAlpha:
      return in.destination[3];
    case BlendFactor::InvDestAlpha:
      return hn::Sub(one, in.destination[3]);
    case BlendFactor::DestColor:
      return in.destination[channel];
    case BlendFactor::InvDestColor:
      return hn::Sub(one, in.destination[channel]);
    case BlendFactor::SrcAlphaSat:
      return channel == 3 ? one : Min5(in.source[3], hn::Sub(one, in.destination[3]));
    case BlendFactor::BlendFactor:
      return hn::Set(d, plan.factor[channel]);
    case BlendFactor::InvBlendFactor:
      return hn::Set(d, 1.0F - plan.factor[channel]);
    case BlendFactor::SrcColor2:
      return in.second[channel];
    case BlendFactor::InvSrcColor2:
      return hn::Sub(one, in.second[channel]);
  }
  return hn::Zero(d);
}

HWY_INLINE VF BlendChannel(const raster::BlendPlan& plan, const BlendInputs& in, size_t channel) {
  using d3d::BlendOp;
  const raster::BlendEquation& equation = channel == 3 ? plan.alpha : plan.rgb;
  const VF s = in.source[channel];
  const VF t = in.destination[channel];
  if (equation.operation == BlendOp::Min) return Min5(s, t);
  if (equation.operation == BlendOp::Max) return Max5(s, t);
  const VF source = hn::Mul(s, Factor(equation.source, plan, in, channel));
  const VF destination = hn::Mul(t, Factor(equation.destination, plan, in, channel));
  if (equation.operation == BlendOp::Subtract) return hn::Sub(source, destination);
  if (equation.operation == BlendOp::RevSubtract) return hn::Sub(destination, source);
  return hn::Add(source, destination);
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
