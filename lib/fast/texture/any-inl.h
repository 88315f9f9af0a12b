// Sampling of any texture with any filter: planes, cube maps and volumes of any format, anisotropy, colour keys. Included once for each
// target. Source: lib/raster/rendering-texture.md 3.2 to 3.6, 3.9 and 3.11.
#if defined(DP2TRACE_FAST_ANY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_ANY_INL_H_
#undef DP2TRACE_FAST_ANY_INL_H_
#else
#define DP2TRACE_FAST_ANY_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "fast/machine/lanes-inl.h"
#include "fast/texture/footprint-inl.h"
#include "fast/texture/lod-inl.h"
#include "fast/texture/sampler_plan.h"
#include "fast/texture/wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// Which levels and how many samples the lanes of a vector take.
struct SampleChoice {
  LevelChoice levels;
  VF samples;
  VF step[3];

  // Written out: an implicit one would not be compiled for the instruction set.
  HWY_INLINE SampleChoice() {}
};

// The number of samples along the longer derivative, and what it leaves of rho^2 (3.4).
HWY_INLINE VF ChooseSamples(uint32_t most, const Footprint& footprint, VF dx2, VF dy2,
                            SampleChoice& choice) {
  const F32 d;
  const auto is_x = hn::Ge(dx2, dy2);
  const VF longer = hn::IfThenElse(is_x, dx2, dy2);
  const VF shorter = Max5(hn::Sqrt(hn::IfThenElse(is_x, dy2, dx2)), hn::Set(d, 0x1p-10F));
  const VF ratio = hn::Div(hn::Sqrt(longer), shorter);
  const VF count = Min5(hn::Neg(hn::Floor(hn::Neg(ratio))), hn::Set(d, static_cast<float>(most)));
  choice.samples = Max5(count, hn::Set(d, 1.0F));
  for (size_t i = 0; i < 3; ++i)
    choice.step[i] = hn::IfThenElse(is_x, footprint.dx[i], footprint.dy[i]);
  return hn::Div(longer, hn::Mul(choice.samples, choice.samples));
}

// Samples the lanes of vectors.
class AnySampler {
 public:
  AnySampler(const SamplerPlan& plan, const LodRule& rule)
      : plan_(plan), rule_(rule), levels_(plan) {}

  HWY_INLINE SampleChoice Choose(const Footprint& footprint, size_t lane) const {
    const F32 d;
    SampleChoice choice;
    choice.samples = hn::Set(d, 1.0F);
    for (VF& step : choice.step)
      step = hn::Zero(d);
    if (!plan_.needs_lod()) {
      choice.levels.Set(levels_.Base());
      return choice;
    }
    VF rho2 = hn::Zero(d);
    if (!rule_.is_explicit()) {
      const VF dx2 = SquaredLength(footprint.dx);
      const VF dy2 = SquaredLength(footprint.dy);
      rho2 = plan_.max_anisotropy() > 1
                 ? ChooseSamples(plan_.max_anisotropy(), footprint, dx2, dy2, choice)
                 : Max5(dx2, dy2);
    }
    const VF lambda = rule_.Lambda(rho2, lane);
    choice.levels.Set(levels_.Choose(lambda));
    choice.samples = hn::IfThenElse(hn::Le(lambda, hn::Zero(d)), hn::Set(d, 1.0F), choice.samples);
    return choice;
  }

  // The average over the samples, summed in order.
  HWY_INLINE Colors Sample(const Footprint& footprint, const SampleChoice& choice,
                           uint64_t lanes) const {
    const F32 d;
    if (plan_.max_anisotropy() == 1) return SampleOnce(footprint, choice.levels, lanes);
    const VF one = hn::Set(d, 1.0F);
    const auto is_single = hn::Eq(choice.samples, one);
    Colors sum;
    Footprint at = footprint;
    uint64_t left = lanes;
    for (float k = 0; left != 0; k += 1.0F) {
      const VF offset = hn::Sub(hn::Div(hn::Set(d, k + 0.5F), choice.samples), hn::Set(d, 0.5F));
      const size_t axes = AxesOf(plan_);
      for (size_t i = 0; i < axes; ++i) {
        const VF moved = hn::Add(footprint.at[i], hn::Mul(choice.step[i], offset));
        at.at[i] = hn::IfThenElse(is_single, footprint.at[i], moved);
      }
      const Colors colors = SampleOnce(at, choice.levels, left);
      const auto is_taken = hn::Gt(choice.samples, hn::Set(d, k));
      for (size_t c = 0; c < 4; ++c)
        sum.c[c] = k == 0.0F ? colors.c[c]
                             : hn::IfThenElse(is_taken, hn::Add(sum.c[c], colors.c[c]), sum.c[c]);
      left &= BitsOf(d, hn::Gt(choice.samples, hn::Set(d, k + 1.0F)));
    }
    const VF weight = hn::Div(one, choice.samples);
    for (VF& channel : sum.c)
      channel = hn::Mul(channel, weight);
    return sum;
  }

  // Lanes that the colour key drops.
  HWY_INLINE uint64_t Killed(const Footprint& footprint, const LevelChoice& choice,
                             const Colors& colors, uint64_t lanes) const {
    if (plan_.plain() != nullptr) return 0;
    const WideTexture& texture = plan_.wide(raster::Filter::kPoint);
    if (texture.kills_by_alpha) return BitsOf(F32(), hn::Eq(colors.c[3], hn::Zero(F32()))) & lanes;
    if (texture.keyed.empty()) return 0;
    uint64_t killed = 0;
    ForLevels(choice, lanes, [&](uint32_t level, bool, uint64_t bits, hn::Mask<F32>) {
      killed |= WideFilter(texture, level, footprint).Keyed() & bits;
    });
    return killed;
  }

 private:
  static size_t AxesOf(const SamplerPlan& plan) {
    return plan.plain() == nullptr && plan.wide(raster::Filter::kPoint).is_volume ? 3 : 2;
  }
  HWY_INLINE VF SquaredLength(const VF (&change)[3]) const {
    const VF square = rule_.SquaredLength(change[0], change[1]);
    if (AxesOf(plan_) == 2) return square;
    const VF z = hn::Mul(change[2], hn::Set(F32(), plan_.size()[2]));
    return hn::Add(square, hn::Mul(z, z));
  }

  // Calls visit(level, is magnified, bits, mask) for groups of lanes that sample one level with one filter.
  template <class Visit>
  HWY_INLINE void ForLevels(const LevelChoice& choice, uint64_t lanes, const Visit& visit) const {
    const F32 d;
    alignas(64) float numbers[16];
    hn::Store(choice.level, d, numbers);
    const bool has_two_filters = plan_.filter(true) != plan_.filter(false);
    for (uint64_t left = lanes; left != 0;) {
      const auto first = static_cast<size_t>(std::countr_zero(left));
      const bool is_magnified = (choice.magnified >> first & 1U) != 0;
      auto like = hn::Eq(choice.level, hn::Set(d, numbers[first]));
      if (has_two_filters) {
        const uint64_t bits = is_magnified ? choice.magnified : ~choice.magnified;
        const uint8_t bytes[8] = {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8)};
        like = hn::And(like, hn::LoadMaskBits(d, bytes));
      }
      const uint64_t bits = BitsOf(d, like) & left;
      visit(static_cast<uint32_t>(numbers[first]), is_magnified, bits, like);
      left &= ~bits;
    }
  }

  HWY_INLINE Colors SampleOnce(const Footprint& at, const LevelChoice& choice,
                               uint64_t lanes) const {
    if (!plan_.needs_lod())
      return SampleLevels(at, choice, plan_.base_level(), plan_.filter(false), lanes);
    Colors result;
    for (VF& channel : result.c)
      channel = hn::Zero(F32());
    ForLevels(choice, lanes, [&](uint32_t level, bool is_magnified, uint64_t bits, auto like) {
      const Colors colors = SampleLevels(at, choice, level, plan_.filter(is_magnified), bits);
      for (size_t c = 0; c < 4; ++c)
        result.c[c] = hn::IfThenElse(like, colors.c[c], result.c[c]);
    });
    return result;
  }

  Colors SampleLevels(const Footprint& at, const LevelChoice& choice, uint32_t level,
                      raster::Filter filter, uint64_t bits) const {
    const Colors colors = FilterOne(at, level, filter);
    if ((choice.has_fraction & bits) == 0) return colors;
    // Where the fraction is 0, only the first level: infinities would become NaN.
    const auto is_mixed = hn::Gt(choice.fraction, hn::Zero(F32()));
    Colors mixed = LerpColors(colors, FilterOne(at, level + 1, filter), choice.fraction);
    for (size_t c = 0; c < 4; ++c)
      mixed.c[c] = hn::IfThenElse(is_mixed, mixed.c[c], colors.c[c]);
    return mixed;
  }

  Colors FilterOne(const Footprint& at, uint32_t level, raster::Filter filter) const {
    if (plan_.plain() == nullptr) return WideFilter(plan_.wide(filter), level, at).At(filter);
    return FilterLevel(*plan_.plain(), level, filter == raster::Filter::kLinear, at.at[0],
                       at.at[1]);
  }

  const SamplerPlan& plan_;
  const LodRule& rule_;
  const LevelRule levels_;
};

// All lanes from one level of a wide plane with one filter.
template <raster::Filter kFilter>
void SamplePlane(const SamplerPlan& plan, const Instruction& i, Frame& frame) {
  const WideTexture& texture = plan.wide(kFilter);
  const SampledBlock block(i, frame);
  ForEachVector(frame, [&](size_t lane, uint64_t) {
    const VF reference = texture.compares_depth ? block.At(2, lane) : hn::Zero(F32());
    const WideFilter filter(texture, plan.base_level(), block.At(0, lane), block.At(1, lane),
                            reference);
    block.Store(filter.template OfPlane<kFilter>(), lane);
  });
}

void SampleAny(const SamplerPlan& plan, LodKind kind, const Instruction& i, Frame& frame) {
  if (frame.active == 0) return;
  if (plan.is_one_plane()) {
    return plan.is_linear(true) ? SamplePlane<raster::Filter::kLinear>(plan, i, frame)
                                : SamplePlane<raster::Filter::kPoint>(plan, i, frame);
  }
  const LodRule rule(plan, kind, i, frame);
  const AnySampler sampler(plan, rule);
  const bool is_cube = plan.plain() == nullptr && plan.wide(raster::Filter::kPoint).is_cube;
  // What is written may be what other lanes read.
  Block colors[4];
  ForEachVector(frame, [&](size_t lane, uint64_t lanes) {
    const FootprintRule place(frame.registers + i.a.number(), rule, lane);
    const Footprint footprint = is_cube ? place.OfCube() : place.OfPlane();
    const SampleChoice choice = sampler.Choose(footprint, lane);
    const Colors sampled = sampler.Sample(footprint, choice, lanes);
    for (size_t c = 0; c < 4; ++c)
      hn::Store(sampled.c[c], F32(), colors[c].lanes.data() + lane);
    frame.killed |= sampler.Killed(footprint, choice.levels, sampled, lanes) << lane;
  });
  ForEachVector(frame, [&](size_t lane, uint64_t) {
    for (size_t c = 0; c < 4; ++c) {
      hn::Store(hn::Load(F32(), colors[c].lanes.data() + lane), F32(),
                frame.registers[i.to + c].lanes.data() + lane);
    }
  });
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
