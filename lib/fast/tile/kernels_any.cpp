// Storing colours in pixels of any format. Source: lib/raster/rendering-output.md 5.2 and 5.6 to 5.9.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/tile/kernels_any.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "d3d/enums.h"
#include "fast/machine/functions-inl.h"
#include "fast/machine/lanes-inl.h"
#include "fast/texture/channels-inl.h"
#include "fast/tile/any_store.h"
#include "fast/tile/blend-inl.h"
#include "fast/tile/raster_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

// Nearest even; overflow gives infinity, every NaN the canonical one.
HWY_INLINE VU HalfOfFloat(VF value) {
  const F32 d;
  const U32 u;
  const VU bits = hn::BitCast(u, value);
  const VU sign = hn::And(hn::ShiftRight<16>(bits), Words(0x8000));
  const VU magnitude = hn::And(bits, Words(0x7FFFFFFF));
  const VU rebased = hn::Sub(magnitude, Words(112U << 23));
  const VU odd = hn::And(hn::ShiftRight<13>(rebased), Words(1));
  const VU normal = hn::ShiftRight<13>(hn::Add(rebased, hn::Add(odd, Words(0xFFF))));
  // The last place of numbers from 1/2 on is 2^-24, that of denormals.
  const VF moved = hn::Add(hn::BitCast(d, magnitude), hn::Set(d, 0.5F));
  const VU denormal = hn::Sub(hn::BitCast(u, moved), Words(0x3F000000));
  VU half = hn::IfThenElse(hn::Lt(magnitude, Words(113U << 23)), denormal, normal);
  half = hn::IfThenElse(hn::Gt(magnitude, Words(0x477FFFFF)), Words(0x7C00), half);
  const VU number = hn::Or(sign, half);
  return hn::IfThenElse(hn::Gt(magnitude, Words(0x7F800000)), Words(0x7E00), number);
}

// 5.7, of numbers in [0, 1].
HWY_INLINE VH SrgbOfLinear(VH linear) {
  const F64 d;
  const VD x = hn::PromoteTo(d, linear);
  const VH power = Exp2OfWide(hn::Mul(Wide(1.0 / 2.4), Log2OfWide(x)));
  const VD curve = hn::Sub(hn::Mul(Wide(1.055), hn::PromoteTo(d, power)), Wide(0.055));
  const VD line = hn::Mul(Wide(12.92), x);
  return NearestFloats(H32(), hn::IfThenElse(hn::Le(x, Wide(0.0031308)), line, curve));
}
HWY_INLINE VF SrgbOfLinear(VF linear) {
  const H32 h;
  return hn::Combine(F32(), SrgbOfLinear(hn::UpperHalf(h, linear)),
                     SrgbOfLinear(hn::LowerHalf(h, linear)));
}

// [-1, 1]; NaN gives 0.
HWY_INLINE VF ClampSigned(VF x) {
  const F32 d;
  const VF number = hn::IfThenElseZero(hn::Eq(x, x), x);
  return Min5(Max5(number, hn::Set(d, -1.0F)), hn::Set(d, 1.0F));
}

HWY_INLINE VF ClampTo(raster::ColorRange range, VF x) {
  switch (range) {
    case raster::ColorRange::kUnsigned:
      return Saturate5(x);
    case raster::ColorRange::kSigned:
      return ClampSigned(x);
    case raster::ColorRange::kUnlimited:
      break;
  }
  return x;
}

// By R2 code.
HWY_INLINE VU Combined(uint32_t code, VU s, VU t) {
  switch (static_cast<d3d::Rop2>(code)) {
    case d3d::Rop2::Black:
      return Words(0);
    case d3d::Rop2::NotMergePen:
      return hn::Not(hn::Or(t, s));
    case d3d::Rop2::MaskNotPen:
      return hn::AndNot(s, t);
    case d3d::Rop2::NotCopyPen:
      return hn::Not(s);
    case d3d::Rop2::MaskPenNot:
      return hn::AndNot(t, s);
    case d3d::Rop2::Not:
      return hn::Not(t);
    case d3d::Rop2::XorPen:
      return hn::Xor(t, s);
    case d3d::Rop2::NotMaskPen:
      return hn::Not(hn::And(t, s));
    case d3d::Rop2::MaskPen:
      return hn::And(t, s);
    case d3d::Rop2::NotXorPen:
      return hn::Not(hn::Xor(t, s));
    case d3d::Rop2::Nop:
      return t;
    case d3d::Rop2::MergeNotPen:
      return hn::Or(hn::Not(s), t);
    case d3d::Rop2::CopyPen:
      break;
    case d3d::Rop2::MergePenNot:
      return hn::Or(s, hn::Not(t));
    case d3d::Rop2::MergePen:
      return hn::Or(s, t);
    case d3d::Rop2::White:
      return Words(~0U);
  }
  return s;
}

// What the pixels of a vector are stored as.
class AnyPixels {
 public:
  AnyPixels(const AnyStore& store, const std::array<Operand, 4>& colors,
            const std::array<Operand, 4>& second, const Frame& frame, const float* thresholds)
      : store_(store),
        colors_{Source(colors[0], frame), Source(colors[1], frame), Source(colors[2], frame),
                Source(colors[3], frame)},
        second_{Source(second[0], frame), Source(second[1], frame), Source(second[2], frame),
                Source(second[3], frame)},
        thresholds_(thresholds) {}

  void Store(size_t lane, hn::Mask<U32> mask, PixelWords& pixels) const {
    VU old[4];
    VU made[4];
    for (size_t w = 0; w < store_.word_count; ++w) {
      old[w] = hn::Load(U32(), pixels.words[w].data() + lane);
      made[w] = Words(0);
    }
    VF colors[4];
    Color(lane, old, colors);
    for (size_t c = 0; c < 4; ++c) {
      const StoredChannel& channel = store_.channels[c];
      if (!channel.is_stored) continue;
      const VU bits =
          hn::ShiftLeftSame(Encoded(channel, colors[c], lane), static_cast<int>(channel.shift));
      made[channel.word] = hn::Or(made[channel.word], bits);
    }
    for (size_t w = 0; w < store_.word_count; ++w) {
      VU word = made[w];
      if (store_.has_logic) {
        const VU planes = Words(store_.plane_mask);
        word = hn::Or(hn::And(Combined(store_.rop2, word, old[w]), planes),
                      hn::AndNot(planes, old[w]));
      }
      word = hn::Or(hn::And(word, Words(store_.written_bits[w])),
                    hn::And(old[w], Words(store_.kept_bits[w])));
      hn::Store(hn::IfThenElse(mask, word, old[w]), U32(), pixels.words[w].data() + lane);
    }
  }

 private:
  // Clamped, blended and encoded, before it becomes bits.
  HWY_INLINE void Color(size_t lane, const VU (&old)[4], VF (&colors)[4]) const {
    BlendInputs in;
    for (size_t c = 0; c < 4; ++c) {
      in.source[c] = ClampTo(store_.range, colors_[c].At(lane));
      if (!store_.blends) continue;
      in.second[c] = ClampTo(store_.range, second_[c].At(lane));
      in.destination[c] = DecodedChannel(store_.channels[c], old);
    }
    for (size_t c = 0; c < 4; ++c) {
      VF color = store_.blends ? BlendChannel(store_.blend, in, c) : in.source[c];
      const StoredChannel& channel = store_.channels[c];
      if (channel.linear != nullptr && channel.steps == nullptr)
        color = SrgbOfLinear(Saturate5(color));
      colors[c] = color;
    }
  }

  HWY_INLINE static VU Stepped(const SrgbSteps& steps, VF linear) {
    const I32 di;
    const VI first = hn::Set(di, static_cast<int32_t>(SrgbSteps::kFirst));
    const VI word = hn::Max(hn::BitCast(di, linear), first);
    const VI i = hn::ShiftRight<16>(hn::Sub(word, first));
    const auto is_above = hn::Ge(linear, hn::GatherIndex(F32(), steps.step.data(), i));
    const VI one = hn::IfThenElseZero(hn::RebindMask(di, is_above), hn::Set(di, 1));
    return hn::BitCast(U32(), hn::Add(hn::GatherIndex(di, steps.below.data(), i), one));
  }

  // Bits of the channel, the lowest first.
  HWY_INLINE VU Encoded(const StoredChannel& channel, VF color, size_t lane) const {
    const F32 d;
    const I32 di;
    using Kind = TexelChannel::Kind;
    if (channel.kind == Kind::kFloat) {
      return hn::IfThenElse(hn::RebindMask(U32(), hn::Eq(color, color)), hn::BitCast(U32(), color),
                            Words(0x7FC00000));
    }
    if (channel.kind == Kind::kHalf) return HalfOfFloat(color);
    if (channel.steps != nullptr) return Stepped(*channel.steps, Saturate5(color));
    const VF largest = hn::Set(d, channel.largest);
    if (channel.kind == Kind::kUnsigned) {
      VF scaled = hn::Mul(Saturate5(color), largest);
      scaled = channel.is_dithered ? Min5(hn::Add(scaled, hn::Load(d, thresholds_ + lane)), largest)
                                   : hn::Add(scaled, hn::Set(d, 0.5F));
      return hn::BitCast(U32(), TruncateTo(di, scaled));
    }
    const VF scaled = hn::Add(hn::Mul(ClampSigned(color), largest), hn::Set(d, 0.5F));
    const VI value = TruncateTo(di, hn::Floor(scaled));
    return hn::And(hn::BitCast(U32(), value), Words((1U << channel.bits) - 1));
  }

  const AnyStore& store_;
  const Source colors_[4], second_[4];
  const float* thresholds_;
};

void StoreAny(const AnyStore& store, const std::array<Operand, 4>& colors,
              const std::array<Operand, 4>& second, const Frame& frame, uint64_t mask,
              const float* thresholds, PixelWords& pixels) {
  const AnyPixels any(store, colors, second, frame, thresholds);
  constexpr uint64_t kVector = (uint64_t{1} << hn::MaxLanes(U32())) - 1;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(U32())) {
    const uint64_t bits = mask >> lane & kVector;
    if (bits != 0) any.Store(lane, MaskOf(bits), pixels);
  }
}

void FillAny(RasterKernels& kernels) {
  kernels.store_any = StoreAny;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillAny);

void AddAnyKernels(RasterKernels& kernels) {
  HWY_DYNAMIC_DISPATCH(FillAny)(kernels);
}

}  // namespace dp2trace::fast
#endif
