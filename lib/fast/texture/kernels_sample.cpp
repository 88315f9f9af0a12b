// Sampling of textures in their fast form: level of detail, addressing, filtering. Source: rendering specification, 3.2 to 3.4.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/texture/kernels_sample.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "d3d/enums.h"
#include "fast/machine/lanes-inl.h"
#include "fast/texture/sampler_plan.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

using d3d::TextureAddress;

// Vectors of at most a row of the block.
using F8 = hn::CappedTag<float, 8>;
using I8 = hn::RebindToSigned<F8>;
using U8 = hn::RebindToUnsigned<F8>;
using S16 = hn::RepartitionToNarrow<I8>;
using VF8 = hn::Vec<F8>;
using VI8 = hn::Vec<I8>;

// One level in units of texels.
struct LevelWindow {
  const uint32_t* texels;
  uint32_t width, height;
};

// Texel indices of an axis for all lanes: the two taps, and the weight of the second.
struct AxisTaps {
  alignas(64) int32_t first[kLanes];
  alignas(64) int32_t second[kLanes];
  alignas(64) int32_t weight[kLanes];  // 0 to 255
};

constexpr int32_t kBorder = -1;

// floor(u * size * 256 + 0.5) of the conditioned coordinate.
template <TextureAddress kMode>
HWY_INLINE VI8 Quantize(VF8 u, float size) {
  const F8 d;
  const I8 di;
  if constexpr (kMode == TextureAddress::Wrap) {
    u = hn::Sub(u, hn::Floor(u));
  } else if constexpr (kMode == TextureAddress::Mirror) {
    u = hn::Sub(u, hn::Mul(hn::Set(d, 2.0F), hn::Floor(hn::Mul(u, hn::Set(d, 0.5F)))));
  } else {
    const float limit = 1048576.0F / size;
    u = hn::IfThenElseZero(hn::Eq(u, u), u);
    u = Min5(Max5(u, hn::Set(d, -limit)), hn::Set(d, limit));
  }
  const VF8 scaled =
      hn::Add(hn::Mul(hn::Mul(u, hn::Set(d, size)), hn::Set(d, 256.0F)), hn::Set(d, 0.5F));
  return hn::ConvertTo(di, hn::Floor(hn::IfThenElseZero(hn::Eq(scaled, scaled), scaled)));
}

// An index after the address mode. WRAP and MIRROR come within one period of the texture, since their coordinates are conditioned.
template <TextureAddress kMode>
HWY_INLINE VI8 Resolve(VI8 i, int32_t size) {
  const I8 d;
  const VI8 zero = hn::Zero(d);
  const VI8 n = hn::Set(d, size);
  if constexpr (kMode == TextureAddress::Wrap) {
    i = hn::Add(i, hn::And(n, hn::BroadcastSignBit(i)));
    return hn::Sub(i, hn::IfThenElseZero(hn::Not(hn::Lt(i, n)), n));
  } else if constexpr (kMode == TextureAddress::Mirror) {
    const VI8 period = hn::Add(n, n);
    i = hn::Add(i, hn::And(period, hn::BroadcastSignBit(i)));
    i = hn::Sub(i, hn::IfThenElseZero(hn::Not(hn::Lt(i, period)), period));
    const VI8 mirrored = hn::Sub(hn::Sub(period, hn::Set(d, 1)), i);
    return hn::IfThenElse(hn::Lt(i, n), i, mirrored);
  } else if constexpr (kMode == TextureAddress::Border) {
    const auto is_inside = hn::And(hn::Not(hn::Lt(i, zero)), hn::Lt(i, n));
    return hn::IfThenElse(is_inside, i, hn::Set(d, kBorder));
  } else {
    if constexpr (kMode == TextureAddress::MirrorOnce) {
      i = hn::IfThenElse(hn::Lt(i, zero), hn::Sub(hn::Set(d, -1), i), i);
    }
    return hn::Min(hn::Max(i, zero), hn::Set(d, size - 1));
  }
}

template <TextureAddress kMode, bool kIsLinear>
void FindTaps(const float* coordinates, uint32_t size, AxisTaps& taps) {
  const I8 d;
  const auto n = static_cast<int32_t>(size);
  const auto real_size = static_cast<float>(size);
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    VI8 q = Quantize<kMode>(hn::Load(F8(), coordinates + lane), real_size);
    if constexpr (kIsLinear) {
      q = hn::Sub(q, hn::Set(d, 128));
      const VI8 i = hn::ShiftRight<8>(q);
      hn::Store(Resolve<kMode>(i, n), d, taps.first + lane);
      hn::Store(Resolve<kMode>(hn::Add(i, hn::Set(d, 1)), n), d, taps.second + lane);
      hn::Store(hn::And(q, hn::Set(d, 255)), d, taps.weight + lane);
    } else {
      hn::Store(Resolve<kMode>(hn::ShiftRight<8>(q), n), d, taps.first + lane);
    }
  }
}

template <bool kIsLinear>
void FindTaps(uint32_t mode, const float* coordinates, uint32_t size, AxisTaps& taps) {
  switch (static_cast<TextureAddress>(mode)) {
    case TextureAddress::Mirror:
      return FindTaps<TextureAddress::Mirror, kIsLinear>(coordinates, size, taps);
    case TextureAddress::Clamp:
      return FindTaps<TextureAddress::Clamp, kIsLinear>(coordinates, size, taps);
    case TextureAddress::Border:
      return FindTaps<TextureAddress::Border, kIsLinear>(coordinates, size, taps);
    case TextureAddress::MirrorOnce:
      return FindTaps<TextureAddress::MirrorOnce, kIsLinear>(coordinates, size, taps);
    case TextureAddress::Wrap:
      break;
  }
  FindTaps<TextureAddress::Wrap, kIsLinear>(coordinates, size, taps);
}

template <bool kHasBorder>
HWY_INLINE VI8 Fetch(const LevelWindow& level, VI8 x, VI8 y, uint32_t border) {
  const I8 d;
  VI8 index = hn::Add(hn::Mul(y, hn::Set(d, static_cast<int32_t>(level.width))), x);
  const auto* base = reinterpret_cast<const int32_t*>(level.texels);
  if constexpr (kHasBorder) {
    const auto is_border = hn::Lt(hn::Or(x, y), hn::Zero(d));
    index = hn::IfThenZeroElse(is_border, index);
    return hn::IfThenElse(is_border, hn::Set(d, static_cast<int32_t>(border)),
                          hn::GatherIndex(d, base, index));
  }
  return hn::GatherIndex(d, base, index);
}

// Channels 0 and 2, or 1 and 3, of the texels, 16 bits each.
HWY_INLINE VI8 EvenChannels(VI8 texel) {
  return hn::And(texel, hn::Set(I8(), 0x00FF00FF));
}
HWY_INLINE VI8 OddChannels(VI8 texel) {
  return EvenChannels(hn::BitCast(I8(), hn::ShiftRight<8>(hn::BitCast(U8(), texel))));
}

// a * 256 + (b - a) * weight in both halves of each lane: 16 bits hold it, and modular arithmetic on the way does no harm.
HWY_INLINE VI8 Mix(VI8 a, VI8 b, VI8 weight) {
  const I8 d;
  const S16 d16;
  const auto difference = hn::Sub(hn::BitCast(d16, b), hn::BitCast(d16, a));
  const auto product = hn::Mul(difference, hn::BitCast(d16, weight));
  const auto base = hn::ShiftLeft<8>(hn::BitCast(d16, a));
  return hn::BitCast(d, hn::Add(base, product));
}

struct Weights {
  VI8 along_x;        // in both halves
  VF8 first, second;  // of the rows, together 256
};

// Two channels of the result from two rows: exact in binary32 until the last product.
HWY_INLINE void StoreSums(VI8 upper, VI8 lower, const Weights& weights, VF8 low_scale,
                          VF8 high_scale, float* low, float* high) {
  const F8 d;
  const I8 di;
  const auto sum = [&](VI8 a, VI8 b) {
    return hn::Add(hn::Mul(hn::ConvertTo(d, a), weights.first),
                   hn::Mul(hn::ConvertTo(d, b), weights.second));
  };
  const VI8 mask = hn::Set(di, 0xFFFF);
  const auto shifted = [&](VI8 v) {
    return hn::BitCast(di, hn::ShiftRight<16>(hn::BitCast(U8(), v)));
  };
  hn::Store(hn::Mul(sum(hn::And(upper, mask), hn::And(lower, mask)), low_scale), d, low);
  hn::Store(hn::Mul(sum(shifted(upper), shifted(lower)), high_scale), d, high);
}

template <bool kHasBorder>
void FilterLinear(const SamplerPlan& plan, const LevelWindow& level, const AxisTaps& x,
                  const AxisTaps& y, Block* to) {
  const I8 d;
  const F8 df;
  const std::array<float, 4>& scales = plan.texture().scales;
  const uint32_t border = plan.border();
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const VI8 x0 = hn::Load(d, x.first + lane);
    const VI8 x1 = hn::Load(d, x.second + lane);
    const VI8 y0 = hn::Load(d, y.first + lane);
    const VI8 y1 = hn::Load(d, y.second + lane);
    const VI8 t00 = Fetch<kHasBorder>(level, x0, y0, border);
    const VI8 t10 = Fetch<kHasBorder>(level, x1, y0, border);
    const VI8 t01 = Fetch<kHasBorder>(level, x0, y1, border);
    const VI8 t11 = Fetch<kHasBorder>(level, x1, y1, border);
    const VI8 fu = hn::Load(d, x.weight + lane);
    const VF8 fv = hn::ConvertTo(df, hn::Load(d, y.weight + lane));
    const Weights weights = {hn::Or(fu, hn::ShiftLeft<16>(fu)), hn::Sub(hn::Set(df, 256.0F), fv),
                             fv};
    StoreSums(Mix(EvenChannels(t00), EvenChannels(t10), weights.along_x),
              Mix(EvenChannels(t01), EvenChannels(t11), weights.along_x), weights,
              hn::Set(df, scales[0]), hn::Set(df, scales[2]), to[0].lanes.data() + lane,
              to[2].lanes.data() + lane);
    StoreSums(Mix(OddChannels(t00), OddChannels(t10), weights.along_x),
              Mix(OddChannels(t01), OddChannels(t11), weights.along_x), weights,
              hn::Set(df, scales[1]), hn::Set(df, scales[3]), to[1].lanes.data() + lane,
              to[3].lanes.data() + lane);
  }
}

template <bool kHasBorder>
void FilterPoint(const SamplerPlan& plan, const LevelWindow& level, const AxisTaps& x,
                 const AxisTaps& y, Block* to) {
  const I8 d;
  const F8 df;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const VI8 texel = Fetch<kHasBorder>(level, hn::Load(d, x.first + lane),
                                        hn::Load(d, y.first + lane), plan.border());
    for (size_t c = 0; c < 4; ++c) {
      const VI8 channel = hn::And(
          hn::BitCast(d, hn::ShiftRightSame(hn::BitCast(U8(), texel), static_cast<int>(8 * c))),
          hn::Set(d, 255));
      const VF8 scale = hn::Set(df, plan.texture().scales[c] * 65536.0F);
      hn::Store(hn::Mul(hn::ConvertTo(df, channel), scale), df, to[c].lanes.data() + lane);
    }
  }
}

// All lanes from one level.
void FilterLevel(const SamplerPlan& plan, uint32_t number, bool is_linear, const Block* coordinates,
                 Block* to) {
  const FastLevel& place = plan.texture().levels[number];
  const LevelWindow level = {plan.texture().texels.data() + place.offset, place.width,
                             place.height};
  const auto border = static_cast<uint32_t>(TextureAddress::Border);
  const bool has_border = plan.address()[0] == border || plan.address()[1] == border;
  AxisTaps x;
  AxisTaps y;
  const float* u = coordinates[0].lanes.data();
  const float* v = coordinates[1].lanes.data();
  if (is_linear) {
    FindTaps<true>(plan.address()[0], u, level.width, x);
    FindTaps<true>(plan.address()[1], v, level.height, y);
    has_border ? FilterLinear<true>(plan, level, x, y, to)
               : FilterLinear<false>(plan, level, x, y, to);
  } else {
    FindTaps<false>(plan.address()[0], u, level.width, x);
    FindTaps<false>(plan.address()[1], v, level.height, y);
    has_border ? FilterPoint<true>(plan, level, x, y, to)
               : FilterPoint<false>(plan, level, x, y, to);
  }
}

// L2 of 3.4.
HWY_INLINE VF8 LodLog2(VF8 x) {
  const F8 d;
  const I8 di;
  const VI8 bits = hn::BitCast(di, x);
  const VI8 exponent =
      hn::Sub(hn::BitCast(di, hn::ShiftRight<23>(hn::BitCast(U8(), bits))), hn::Set(di, 127));
  const VF8 m =
      hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(di, 0x7FFFFF)), hn::Set(di, 0x3F800000)));
  const auto constant = [&](uint32_t word) { return hn::Set(d, std::bit_cast<float>(word)); };
  const VF8 t = hn::Sub(m, hn::Set(d, 1.0F));
  VF8 s = hn::Add(hn::Mul(constant(0xBD3663B4U), t), constant(0x3E176BCFU));
  s = hn::Add(hn::Mul(s, t), constant(0xBE88C807U));
  s = hn::Add(hn::Mul(s, t), constant(0x3EE24730U));
  const VF8 rest = hn::Mul(hn::Mul(t, hn::Sub(hn::Set(d, 1.0F), t)), s);
  return hn::Add(hn::ConvertTo(d, exponent), hn::Add(t, rest));
}

HWY_INLINE VF8 Round8(VF8 x) {
  const F8 d;
  const VF8 scaled = hn::Add(hn::Mul(x, hn::Set(d, 256.0F)), hn::Set(d, 0.5F));
  return hn::Div(hn::Floor(scaled), hn::Set(d, 256.0F));
}

struct Derivatives {
  VF8 ux, vx, uy, vy;
};

// Of the lanes from `lane` on, by the quads that they lie in.
HWY_INLINE Derivatives DerivativesOf(const Block* coordinates, size_t lane) {
  const F8 d;
  const size_t upper = lane & ~size_t{8};
  const auto x = [&](size_t c) {
    const VF8 row = hn::Load(d, coordinates[c].lanes.data() + lane);
    return hn::Sub(hn::DupOdd(row), hn::DupEven(row));
  };
  const auto y = [&](size_t c) {
    const float* column = coordinates[c].lanes.data() + upper;
    return hn::Sub(hn::Load(d, column + 8), hn::Load(d, column));
  };
  return {x(0), x(1), y(0), y(1)};
}

// Where each lane samples.
struct LevelChoices {
  alignas(64) float level[kLanes];
  alignas(64) float fraction[kLanes];  // of the next level
  uint64_t magnified = 0;              // lanes that take the MAG filter
};

HWY_INLINE VF8 Lambda(const SamplerPlan& plan, LodKind kind, const Instruction& i,
                      const Frame& frame, size_t lane) {
  const F8 d;
  const auto operand = [&](const Operand& o, uint32_t component) {
    if (o.is_constant()) return hn::Set(d, frame.constants[o.number()].lanes[0]);
    return hn::Load(d, frame.registers[o.number() + component].lanes.data() + lane);
  };
  const auto clamp_bias = [&](VF8 bias) {
    return Min5(Max5(bias, hn::Set(d, -16.0F)), hn::Set(d, 16.0F));
  };
  VF8 lambda;
  const VF8 state_bias = hn::Set(d, plan.lod_bias());
  if (kind == LodKind::kLevel) {
    lambda = hn::Add(operand(i.b, 0), clamp_bias(state_bias));
  } else {
    Derivatives change;
    if (kind == LodKind::kGradients) {
      change = {operand(i.b, 0), operand(i.b, 1), operand(i.c, 0), operand(i.c, 1)};
    } else {
      change = DerivativesOf(frame.registers + i.a.number(), lane);
    }
    const VF8 width = hn::Set(d, static_cast<float>(plan.texture().levels[0].width));
    const VF8 height = hn::Set(d, static_cast<float>(plan.texture().levels[0].height));
    const auto square = [&](VF8 u, VF8 v) {
      const VF8 x = hn::Mul(u, width);
      const VF8 y = hn::Mul(v, height);
      return hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    };
    const VF8 rho2 = Max5(square(change.ux, change.vx), square(change.uy, change.vy));
    const VF8 detail = hn::IfThenElse(hn::Ge(rho2, hn::Set(d, 0x1p-120F)),
                                      hn::Mul(hn::Set(d, 0.5F), LodLog2(rho2)), hn::Set(d, -64.0F));
    const VF8 added = hn::Add(state_bias, kind == LodKind::kBias ? operand(i.b, 0) : hn::Zero(d));
    lambda = hn::Add(detail, clamp_bias(added));
  }
  return hn::IfThenElse(hn::Eq(lambda, lambda), Round8(lambda), hn::Set(d, -64.0F));
}

void ChooseLevels(const SamplerPlan& plan, LodKind kind, const Instruction& i, const Frame& frame,
                  LevelChoices& choices) {
  const F8 d;
  const VF8 base = hn::Set(d, static_cast<float>(plan.base_level()));
  const VF8 last = hn::Set(d, static_cast<float>(plan.last_level()));
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const VF8 lambda = Lambda(plan, kind, i, frame, lane);
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Le(lambda, hn::Zero(d)), bits);
    choices.magnified |= uint64_t{bits[0]} << lane;
    VF8 level = base;
    VF8 fraction = hn::Zero(d);
    if (plan.mip() == raster::Filter::kPoint) {
      level = Min5(Max5(hn::Floor(hn::Add(lambda, hn::Set(d, 0.5F))), base), last);
    } else if (plan.mip() == raster::Filter::kLinear) {
      const VF8 clamped = Min5(Max5(lambda, base), last);
      level = hn::Floor(clamped);
      fraction = Round8(hn::Sub(clamped, level));
    }
    hn::Store(level, d, choices.level + lane);
    hn::Store(fraction, d, choices.fraction + lane);
  }
}

// a + f * (b - a) in all channels.
void BlendLevels(const Block* second, const float* fraction, Block* to) {
  const F8 d;
  for (size_t c = 0; c < 4; ++c) {
    float* first = to[c].lanes.data();
    const float* other = second[c].lanes.data();
    for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const VF8 a = hn::Load(d, first + lane);
      const VF8 b = hn::Load(d, other + lane);
      hn::Store(hn::Add(a, hn::Mul(hn::Load(d, fraction + lane), hn::Sub(b, a))), d, first + lane);
    }
  }
}

bool HasFraction(const LevelChoices& choices, uint64_t lanes) {
  for (size_t lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1U) != 0 && choices.fraction[lane] != 0.0F) return true;
  }
  return false;
}

// Lanes whose level and filter are those of this lane.
uint64_t LanesLike(const SamplerPlan& plan, const LevelChoices& choices, size_t first) {
  const F8 d;
  uint64_t lanes = 0;
  const VF8 level = hn::Set(d, choices.level[first]);
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Eq(hn::Load(d, choices.level + lane), level), bits);
    lanes |= uint64_t{bits[0]} << lane;
  }
  if (plan.is_linear(true) == plan.is_linear(false)) return lanes;
  return lanes & ((choices.magnified >> first & 1U) != 0 ? choices.magnified : ~choices.magnified);
}

void SampleGroup(const SamplerPlan& plan, const LevelChoices& choices, uint64_t lanes, size_t first,
                 const Block* coordinates, Block* to) {
  const auto level = static_cast<uint32_t>(choices.level[first]);
  const bool is_linear = plan.is_linear((choices.magnified >> first & 1U) != 0);
  FilterLevel(plan, level, is_linear, coordinates, to);
  const uint32_t next = std::min(level + 1, plan.last_level());
  if (plan.mip() != raster::Filter::kLinear || next == level || !HasFraction(choices, lanes))
    return;
  Block second[4];
  FilterLevel(plan, next, is_linear, coordinates, second);
  BlendLevels(second, choices.fraction, to);
}

void CopyLanes(const Block* from, uint64_t lanes, Block* to) {
  for (size_t c = 0; c < 4; ++c) {
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(left));
      to[c].lanes[lane] = from[c].lanes[lane];
    }
  }
}

void SampleFast(const SamplerPlan& plan, LodKind kind, const Instruction& i, Frame& frame) {
  const Block* coordinates = frame.registers + i.a.number();
  Block* to = frame.registers + i.to;
  if (!plan.needs_lod())
    return FilterLevel(plan, plan.base_level(), plan.is_linear(true), coordinates, to);
  LevelChoices choices;
  ChooseLevels(plan, kind, i, frame, choices);
  uint64_t left = frame.active;
  if (left == 0) return;
  auto first = static_cast<size_t>(std::countr_zero(left));
  const uint64_t group = LanesLike(plan, choices, first);
  SampleGroup(plan, choices, group & left, first, coordinates, to);
  left &= ~group;
  while (left != 0) {
    first = static_cast<size_t>(std::countr_zero(left));
    const uint64_t lanes = LanesLike(plan, choices, first) & left;
    Block colors[4];
    SampleGroup(plan, choices, lanes, first, coordinates, colors);
    CopyLanes(colors, lanes, to);
    left &= ~lanes;
  }
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
