// Sampling of textures in their fast form: level of detail and choice of levels. Source: lib/raster/rendering-texture.md 3.2 to 3.4.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/texture/kernels_sample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "fast/machine/lanes-inl.h"
#include "fast/texture/any-inl.h"
#include "fast/texture/filter-inl.h"
#include "fast/texture/lod-inl.h"
#include "fast/texture/sampler_plan.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// The lanes of a vector whose levels are chosen; `lanes` of them matter.
class VectorSampler {
 public:
  VectorSampler(const SamplerPlan& plan, VF u, VF v) : plan_(plan), u_(u), v_(v) {}

  HWY_INLINE Colors Sample(const LevelChoice& choice, uint64_t lanes) const {
    const F32 d;
    alignas(64) float levels[16];
    hn::Store(choice.level, d, levels);
    Colors result;
    for (uint64_t left = lanes; left != 0;) {
      const auto first = static_cast<size_t>(std::countr_zero(left));
      const auto like = LanesLike(choice, levels[first], first);
      const Colors colors = SampleGroup(choice, BitsOf(F32(), like) & left,
                                        static_cast<uint32_t>(levels[first]), first);
      if (left == lanes) {
        result = colors;
      } else {
        for (size_t c = 0; c < 4; ++c)
          result.c[c] = hn::IfThenElse(like, colors.c[c], result.c[c]);
      }
      left &= ~BitsOf(F32(), like);
    }
    return result;
  }

 private:
  // Lanes whose level and filter are those of lane `first`.
  HWY_INLINE hn::Mask<F32> LanesLike(const LevelChoice& choice, float level, size_t first) const {
    const F32 d;
    const auto same = hn::Eq(choice.level, hn::Set(d, level));
    if (plan_.is_linear(true) == plan_.is_linear(false)) return same;
    const bool is_magnified = (choice.magnified >> first & 1U) != 0;
    const uint64_t bits = is_magnified ? choice.magnified : ~choice.magnified;
    const uint8_t bytes[8] = {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8)};
    return hn::And(same, hn::LoadMaskBits(d, bytes));
  }

  HWY_INLINE Colors SampleGroup(const LevelChoice& choice, uint64_t lanes, uint32_t level,
                                size_t first) const {
    const bool is_linear = plan_.is_linear((choice.magnified >> first & 1U) != 0);
    const Colors colors = FilterLevel(plan_.texture(), level, is_linear, u_, v_);
    if ((choice.has_fraction & lanes) == 0) return colors;
    return LerpColors(colors, FilterLevel(plan_.texture(), level + 1, is_linear, u_, v_),
                      choice.fraction);
  }

  const SamplerPlan& plan_;
  VF u_, v_;
};

// All lanes from one level, linearly, and where there are fractions from the next one.
void SampleLevels(const SamplerPlan& plan, uint32_t level, const float* fractions,
                  const Instruction& i, Frame& frame) {
  const FastTexture& texture = plan.texture();
  const SampledBlock block(i, frame);
  WithAddress(texture.form, [&](auto is_x_periodic, auto is_y_periodic) {
    using Filter = LevelFilter<is_x_periodic.value, is_y_periodic.value, true>;
    const Filter filter(texture, texture.levels[level]);
    Taps taps;
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      filter.Find(block.At(0, lane), block.At(1, lane), lane, taps);
    });
    if (fractions == nullptr) {
      ForEachVector(frame,
                    [&](size_t lane, uint64_t) { block.Store(filter.Mixed(taps, lane), lane); });
      return;
    }
    const Filter next(texture, texture.levels[level + 1]);
    Taps next_taps;
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      next.Find(block.At(0, lane), block.At(1, lane), lane, next_taps);
    });
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      block.Store(LerpColors(filter.Mixed(taps, lane), next.Mixed(next_taps, lane),
                             hn::Load(F32(), fractions + lane)),
                  lane);
    });
  });
}

HWY_INLINE void SamplePoints(const SamplerPlan& plan, const Instruction& i, Frame& frame) {
  const FastTexture& texture = plan.texture();
  const FastLevel& level = texture.levels[plan.base_level()];
  const SampledBlock block(i, frame);
  WithAddress(texture.form, [&](auto is_x_periodic, auto is_y_periodic) {
    const LevelFilter<is_x_periodic.value, is_y_periodic.value, false> filter(texture, level);
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      block.Store(filter.At(block.At(0, lane), block.At(1, lane)), lane);
    });
  });
}

// The levels of all lanes.
struct BlockLevels {
  alignas(64) float level[kLanes];
  alignas(64) float fraction[kLanes];
  uint64_t magnified = 0, has_fraction = 0;

  BlockLevels(const SamplerPlan& plan, const LodRule& rule, const Frame& frame) {
    const LevelRule levels(plan);
    uint64_t are_magnified = 0;
    uint64_t have_fraction = 0;
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      const LevelChoice choice = levels.Choose(rule.Lambda(lane));
      hn::Store(choice.level, F32(), level + lane);
      hn::Store(choice.fraction, F32(), fraction + lane);
      are_magnified |= choice.magnified << lane;
      have_fraction |= choice.has_fraction << lane;
    });
    magnified = are_magnified;
    has_fraction = have_fraction;
  }
  HWY_INLINE LevelChoice At(size_t lane) const {
    return {hn::Load(F32(), level + lane), hn::Load(F32(), fraction + lane), magnified >> lane,
            has_fraction >> lane};
  }
  // All lanes that matter sample the same level with the same filter.
  HWY_INLINE bool IsSame(const SamplerPlan& plan, const Frame& frame) const {
    const auto first = static_cast<size_t>(std::countr_zero(frame.active));
    const VF expected = hn::Set(F32(), level[first]);
    uint64_t others = plan.is_linear(true) == plan.is_linear(false) ? 0
                      : (magnified >> first & 1U) != 0              ? ~magnified
                                                                    : magnified;
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      others |= BitsOf(F32(), hn::Ne(hn::Load(F32(), level + lane), expected)) << lane;
    });
    return (others & frame.active) == 0;
  }
};

void SampleFast(const SamplerPlan& plan, LodKind kind, const Instruction& i, Frame& frame) {
  if (!plan.needs_lod()) {
    plan.is_linear(true) ? SampleLevels(plan, plan.base_level(), nullptr, i, frame)
                         : SamplePoints(plan, i, frame);
    return;
  }
  if (frame.active == 0) return;
  // The coordinates may be where the colours go.
  const BlockLevels levels(plan, LodRule(plan, kind, i, frame), frame);
  const auto first = static_cast<size_t>(std::countr_zero(frame.active));
  if (plan.is_linear((levels.magnified >> first & 1U) != 0) && levels.IsSame(plan, frame)) {
    const auto level = static_cast<uint32_t>(levels.level[first]);
    const bool has_next = level < plan.last_level() && (levels.has_fraction & frame.active) != 0;
    return SampleLevels(plan, level, has_next ? levels.fraction : nullptr, i, frame);
  }
  const SampledBlock block(i, frame);
  ForEachVector(frame, [&](size_t lane, uint64_t lanes) {
    block.Store(
        VectorSampler(plan, block.At(0, lane), block.At(1, lane)).Sample(levels.At(lane), lanes),
        lane);
  });
}

template <LodKind kKind>
void Sample(const Instruction& i, Frame& frame) {
  const SamplerPlan& plan = *frame.samplers[i.data];
  if (plan.is_any()) return SampleAny(plan, kKind, i, frame);
  if (plan.owns_texels()) return SampleFast(plan, kKind, i, frame);
  SampleWithReference(plan, kKind, i, frame);
}

void FillSample(KernelTable& table) {
  table[Op::kSample] = Sample<LodKind::kDerivatives>;
  table[Op::kSampleBias] = Sample<LodKind::kBias>;
  table[Op::kSampleLevel] = Sample<LodKind::kLevel>;
  table[Op::kSampleGradients] = Sample<LodKind::kGradients>;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillSample);

void AddSampleKernels(KernelTable& table) {
  HWY_DYNAMIC_DISPATCH(FillSample)(table);
}

}  // namespace dp2trace::fast
#endif
