// Sampling of textures in their fast form: level of detail and choice of levels. Source: rendering specification, 3.2 to 3.4.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/texture/kernels_sample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "fast/machine/lanes-inl.h"
#include "fast/texture/filter-inl.h"
#include "fast/texture/sampler_plan.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// L2 of 3.4.
HWY_INLINE VF LodLog2(VF x) {
  const F32 d;
  const I32 di;
  const VI bits = hn::BitCast(di, x);
  const VI exponent =
      hn::Sub(hn::BitCast(di, hn::ShiftRight<23>(hn::BitCast(U32(), bits))), hn::Set(di, 127));
  const VF m =
      hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(di, 0x7FFFFF)), hn::Set(di, 0x3F800000)));
  const auto constant = [&](uint32_t word) { return hn::Set(d, std::bit_cast<float>(word)); };
  const VF t = hn::Sub(m, hn::Set(d, 1.0F));
  VF s = hn::Add(hn::Mul(constant(0xBD3663B4U), t), constant(0x3E176BCFU));
  s = hn::Add(hn::Mul(s, t), constant(0xBE88C807U));
  s = hn::Add(hn::Mul(s, t), constant(0x3EE24730U));
  const VF rest = hn::Mul(hn::Mul(t, hn::Sub(hn::Set(d, 1.0F), t)), s);
  return hn::Add(hn::ConvertTo(d, exponent), hn::Add(t, rest));
}

// To 1/256; the quotient is exact, and so is this product.
HWY_INLINE VF Round8(VF x) {
  const F32 d;
  const VF scaled = hn::Add(hn::Mul(x, hn::Set(d, 256.0F)), hn::Set(d, 0.5F));
  return hn::Mul(hn::Floor(scaled), hn::Set(d, 1.0F / 256.0F));
}

struct Derivatives {
  VF ux, vx, uy, vy;
};

// The odd row minus the even one, for the lanes from `lane` on.
template <class D>
HWY_INLINE hn::Vec<D> RowDifference(D d, const float* values, size_t lane) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    const auto difference =
        hn::Sub(hn::Load(half, values + lane + 8), hn::Load(half, values + lane));
    return hn::Combine(d, difference, difference);
  } else {
    const float* upper = values + (lane & ~size_t{8});
    return hn::Sub(hn::Load(d, upper + 8), hn::Load(d, upper));
  }
}

HWY_INLINE VF ColumnDifference(const float* values, size_t lane) {
  const VF row = hn::Load(F32(), values + lane);
  return hn::Sub(hn::DupOdd(row), hn::DupEven(row));
}

// Of the lanes from `lane` on, by the quads that they lie in.
HWY_INLINE Derivatives DerivativesOf(const Block* coordinates, size_t lane) {
  const float* u = coordinates[0].lanes.data();
  const float* v = coordinates[1].lanes.data();
  return {ColumnDifference(u, lane), ColumnDifference(v, lane), RowDifference(F32(), u, lane),
          RowDifference(F32(), v, lane)};
}

// What a sampling operation says, for all vectors of its lanes.
class LodRule {
 public:
  LodRule(const SamplerPlan& plan, LodKind kind, const Instruction& i, const Frame& frame)
      : kind_(kind),
        instruction_(i),
        frame_(frame),
        state_bias_(hn::Set(F32(), plan.lod_bias())),
        width_(hn::Set(F32(), static_cast<float>(plan.texture().levels[0].x.size))),
        height_(hn::Set(F32(), static_cast<float>(plan.texture().levels[0].y.size))) {}

  HWY_INLINE VF Lambda(size_t lane) const {
    const F32 d;
    VF lambda;
    if (kind_ == LodKind::kLevel) {
      lambda = hn::Add(At(instruction_.b, 0, lane), ClampBias(state_bias_));
    } else {
      const VF rho2 = Rho2(DerivativesAt(lane));
      const VF detail =
          hn::IfThenElse(hn::Ge(rho2, hn::Set(d, 0x1p-120F)),
                         hn::Mul(hn::Set(d, 0.5F), LodLog2(rho2)), hn::Set(d, -64.0F));
      const VF bias = kind_ == LodKind::kBias ? At(instruction_.b, 0, lane) : hn::Zero(d);
      lambda = hn::Add(detail, ClampBias(hn::Add(state_bias_, bias)));
    }
    return hn::IfThenElse(hn::Eq(lambda, lambda), Round8(lambda), hn::Set(d, -64.0F));
  }

 private:
  HWY_INLINE VF At(const Operand& operand, uint32_t component, size_t lane) const {
    if (operand.is_constant()) return hn::Set(F32(), frame_.constants[operand.number()].lanes[0]);
    return hn::Load(F32(), frame_.registers[operand.number() + component].lanes.data() + lane);
  }
  HWY_INLINE static VF ClampBias(VF bias) {
    const F32 d;
    return Min5(Max5(bias, hn::Set(d, -16.0F)), hn::Set(d, 16.0F));
  }
  HWY_INLINE Derivatives DerivativesAt(size_t lane) const {
    if (kind_ != LodKind::kGradients)
      return DerivativesOf(frame_.registers + instruction_.a.number(), lane);
    return {At(instruction_.b, 0, lane), At(instruction_.b, 1, lane), At(instruction_.c, 0, lane),
            At(instruction_.c, 1, lane)};
  }
  HWY_INLINE VF Rho2(const Derivatives& change) const {
    const auto square = [&](VF u, VF v) {
      const VF x = hn::Mul(u, width_);
      const VF y = hn::Mul(v, height_);
      return hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    };
    return Max5(square(change.ux, change.vx), square(change.uy, change.vy));
  }

  const LodKind kind_;
  const Instruction& instruction_;
  const Frame& frame_;
  const VF state_bias_;
  const VF width_, height_;  // of level 0
};

HWY_INLINE uint64_t BitsOf(hn::Mask<F32> mask) {
  uint8_t bits[8] = {};
  hn::StoreMaskBits(F32(), mask, bits);
  return bits[0] | uint64_t{bits[1]} << 8;
}

// Where the lanes of a vector sample.
struct LevelChoice {
  VF level, fraction;     // of the next level
  uint64_t magnified;     // lanes that take the MAG filter
  uint64_t has_fraction;  // lanes
};

class LevelRule {
 public:
  explicit LevelRule(const SamplerPlan& plan)
      : mip_(plan.mip()),
        base_(hn::Set(F32(), static_cast<float>(plan.base_level()))),
        last_(hn::Set(F32(), static_cast<float>(plan.last_level()))) {}

  HWY_INLINE LevelChoice Choose(VF lambda) const {
    const F32 d;
    LevelChoice choice = {base_, hn::Zero(d), BitsOf(hn::Le(lambda, hn::Zero(d))), 0};
    if (mip_ == raster::Filter::kPoint) {
      choice.level = Min5(Max5(hn::Floor(hn::Add(lambda, hn::Set(d, 0.5F))), base_), last_);
    } else if (mip_ == raster::Filter::kLinear) {
      const VF clamped = Min5(Max5(lambda, base_), last_);
      choice.level = hn::Floor(clamped);
      choice.fraction = Round8(hn::Sub(clamped, choice.level));
      choice.has_fraction = BitsOf(hn::Gt(choice.fraction, hn::Zero(d)));
    }
    return choice;
  }

 private:
  const raster::Filter mip_;
  const VF base_, last_;
};

HWY_INLINE Colors MixLevels(Colors colors, const Colors& next, VF fraction) {
  for (size_t c = 0; c < 4; ++c)
    colors.c[c] = hn::Add(colors.c[c], hn::Mul(fraction, hn::Sub(next.c[c], colors.c[c])));
  return colors;
}

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
      const Colors colors =
          SampleGroup(choice, BitsOf(like) & left, static_cast<uint32_t>(levels[first]), first);
      if (left == lanes) {
        result = colors;
      } else {
        for (size_t c = 0; c < 4; ++c)
          result.c[c] = hn::IfThenElse(like, colors.c[c], result.c[c]);
      }
      left &= ~BitsOf(like);
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
    const uint32_t next = std::min(level + 1, plan_.last_level());
    if (next == level || (choice.has_fraction & lanes) == 0) return colors;
    return MixLevels(colors, FilterLevel(plan_.texture(), next, is_linear, u_, v_),
                     choice.fraction);
  }

  const SamplerPlan& plan_;
  VF u_, v_;
};

// Calls visit(lane, lanes of the vector that matter) for the vectors that have any.
template <class Visit>
HWY_INLINE void ForEachVector(const Frame& frame, const Visit& visit) {
  const F32 d;
  constexpr uint64_t kVector = (uint64_t{1} << hn::MaxLanes(d)) - 1;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const uint64_t lanes = frame.active >> lane & kVector;
    if (lanes != 0) visit(lane, lanes);
  }
}

// What an instruction reads and writes.
class SampledBlock {
 public:
  SampledBlock(const Instruction& i, Frame& frame)
      : from_(frame.registers + i.a.number()), to_(frame.registers + i.to) {}

  HWY_INLINE VF u(size_t lane) const { return hn::Load(F32(), from_[0].lanes.data() + lane); }
  HWY_INLINE VF v(size_t lane) const { return hn::Load(F32(), from_[1].lanes.data() + lane); }
  HWY_INLINE void Store(const Colors& colors, size_t lane) const {
    for (size_t c = 0; c < 4; ++c)
      hn::Store(colors.c[c], F32(), to_[c].lanes.data() + lane);
  }

 private:
  const Block* from_;
  Block* to_;
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
      filter.Find(block.u(lane), block.v(lane), lane, taps);
    });
    if (fractions == nullptr) {
      ForEachVector(frame,
                    [&](size_t lane, uint64_t) { block.Store(filter.Mixed(taps, lane), lane); });
      return;
    }
    const Filter next(texture, texture.levels[level + 1]);
    Taps next_taps;
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      next.Find(block.u(lane), block.v(lane), lane, next_taps);
    });
    ForEachVector(frame, [&](size_t lane, uint64_t) {
      block.Store(MixLevels(filter.Mixed(taps, lane), next.Mixed(next_taps, lane),
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
      block.Store(filter.At(block.u(lane), block.v(lane)), lane);
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
      others |= BitsOf(hn::Ne(hn::Load(F32(), level + lane), expected)) << lane;
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
    block.Store(VectorSampler(plan, block.u(lane), block.v(lane)).Sample(levels.At(lane), lanes),
                lane);
  });
}

template <LodKind kKind>
void Sample(const Instruction& i, Frame& frame) {
  const SamplerPlan& plan = *frame.samplers[i.data];
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
