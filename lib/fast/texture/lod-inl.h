// Level of detail: derivatives to levels and their fractions, for one vector of lanes. Included once for each target.
// Source: lib/raster/rendering-texture.md 3.3 and 3.4.
#if defined(DP2TRACE_FAST_LOD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_LOD_INL_H_
#undef DP2TRACE_FAST_LOD_INL_H_
#else
#define DP2TRACE_FAST_LOD_INL_H_
#endif

#include <hwy/highway.h>

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
        width_(hn::Set(F32(), plan.size()[0])),
        height_(hn::Set(F32(), plan.size()[1])) {}

  // Of a footprint: rho^2, where the level is not given.
  HWY_INLINE VF Lambda(VF rho2, size_t lane) const {
    const F32 d;
    VF lambda;
    if (kind_ == LodKind::kLevel) {
      lambda = hn::Add(At(instruction_.b, 0, lane), ClampBias(state_bias_));
    } else {
      const VF detail =
          hn::IfThenElse(hn::Ge(rho2, hn::Set(d, 0x1p-120F)),
                         hn::Mul(hn::Set(d, 0.5F), LodLog2(rho2)), hn::Set(d, -64.0F));
      const VF bias = kind_ == LodKind::kBias ? At(instruction_.b, 0, lane) : hn::Zero(d);
      lambda = hn::Add(detail, ClampBias(hn::Add(state_bias_, bias)));
    }
    return hn::IfThenElse(hn::Eq(lambda, lambda), Round8(lambda), hn::Set(d, -64.0F));
  }
  // Of a plane, by its own derivatives.
  HWY_INLINE VF Lambda(size_t lane) const {
    if (kind_ == LodKind::kLevel) return Lambda(hn::Zero(F32()), lane);
    const Derivatives change = DerivativesAt(lane);
    return Lambda(Max5(SquaredLength(change.ux, change.vx), SquaredLength(change.uy, change.vy)),
                  lane);
  }
  // In texels of level 0.
  HWY_INLINE VF SquaredLength(VF u, VF v) const {
    const VF x = hn::Mul(u, width_);
    const VF y = hn::Mul(v, height_);
    return hn::Add(hn::Mul(x, x), hn::Mul(y, y));
  }
  bool is_explicit() const { return kind_ == LodKind::kLevel; }
  bool has_gradients() const { return kind_ == LodKind::kGradients; }
  HWY_INLINE VF GradientX(uint32_t component, size_t lane) const {
    return At(instruction_.b, component, lane);
  }
  HWY_INLINE VF GradientY(uint32_t component, size_t lane) const {
    return At(instruction_.c, component, lane);
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
    return {GradientX(0, lane), GradientX(1, lane), GradientY(0, lane), GradientY(1, lane)};
  }

  const LodKind kind_;
  const Instruction& instruction_;
  const Frame& frame_;
  const VF state_bias_;
  const VF width_, height_;  // of level 0
};

// Where the lanes of a vector sample.
struct LevelChoice {
  VF level, fraction;     // of the next level
  uint64_t magnified;     // lanes that take the MAG filter
  uint64_t has_fraction;  // lanes

  // Member by member: a copy of the whole would read as a vector what was just written as words, which waits for memory.
  HWY_INLINE void Set(const LevelChoice& other) {
    level = other.level;
    fraction = other.fraction;
    magnified = other.magnified;
    has_fraction = other.has_fraction;
  }
};

class LevelRule {
 public:
  explicit LevelRule(const SamplerPlan& plan)
      : mip_(plan.mip()),
        base_(hn::Set(F32(), static_cast<float>(plan.base_level()))),
        last_(hn::Set(F32(), static_cast<float>(plan.last_level()))) {}

  // Where the level of detail decides about nothing.
  HWY_INLINE LevelChoice Base() const { return {base_, hn::Zero(F32()), 0, 0}; }
  HWY_INLINE LevelChoice Choose(VF lambda) const {
    const F32 d;
    LevelChoice choice = {base_, hn::Zero(d), BitsOf(d, hn::Le(lambda, hn::Zero(d))), 0};
    if (mip_ == raster::Filter::kPoint) {
      choice.level = Min5(Max5(hn::Floor(hn::Add(lambda, hn::Set(d, 0.5F))), base_), last_);
    } else if (mip_ == raster::Filter::kLinear) {
      const VF clamped = Min5(Max5(lambda, base_), last_);
      choice.level = hn::Floor(clamped);
      choice.fraction = Round8(hn::Sub(clamped, choice.level));
      choice.has_fraction = BitsOf(d, hn::Gt(choice.fraction, hn::Zero(d)));
    }
    return choice;
  }

 private:
  const raster::Filter mip_;
  const VF base_, last_;
};

// a + f * (b - a).
HWY_INLINE VF Lerp(VF a, VF b, VF f) {
  return hn::Add(a, hn::Mul(f, hn::Sub(b, a)));
}
HWY_INLINE Colors LerpColors(const Colors& a, const Colors& b, VF f) {
  Colors result;
  for (size_t c = 0; c < 4; ++c)
    result.c[c] = Lerp(a.c[c], b.c[c], f);
  return result;
}

// What a sampling operation reads and writes.
class SampledBlock {
 public:
  SampledBlock(const Instruction& i, Frame& frame)
      : from_(frame.registers + i.a.number()), to_(frame.registers + i.to) {}

  HWY_INLINE VF At(size_t axis, size_t lane) const {
    return hn::Load(F32(), from_[axis].lanes.data() + lane);
  }
  HWY_INLINE void Store(const Colors& colors, size_t lane) const {
    for (size_t c = 0; c < 4; ++c)
      hn::Store(colors.c[c], F32(), to_[c].lanes.data() + lane);
  }

 private:
  const Block* from_;
  Block* to_;
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

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
