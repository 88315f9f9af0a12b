// Alpha test, blending and storing of colours. Source: lib/raster/rendering-output.md 5.1, 5.6 and 5.7.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/tile/kernels_store.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "d3d/enums.h"
#include "fast/machine/lanes-inl.h"
#include "fast/tile/blend-inl.h"
#include "fast/tile/raster_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

HWY_INLINE VF LoadOperand(Operand operand, const Frame& frame, size_t lane) {
  if (operand.is_constant()) return hn::Set(F32(), frame.constants[operand.number()].lanes[0]);
  return hn::Load(F32(), frame.registers[operand.number()].lanes.data() + lane);
}
uint64_t TestAlpha(Operand alpha, const Frame& frame, uint32_t function, uint32_t reference) {
  using d3d::CompareFunc;
  const F32 d;
  const I32 di;
  const VI right = hn::Set(di, static_cast<int32_t>(reference));
  uint64_t less = 0;
  uint64_t equal = 0;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const VF scaled = hn::Mul(Saturate5(LoadOperand(alpha, frame, lane)), hn::Set(d, 255.0F));
    const VI left = TruncateTo(di, hn::Add(scaled, hn::Set(d, 0.5F)));
    less |= BitsOf(di, hn::Lt(left, right)) << lane;
    equal |= BitsOf(di, hn::Eq(left, right)) << lane;
  }
  switch (static_cast<CompareFunc>(function)) {
    case CompareFunc::Never:
      return 0;
    case CompareFunc::Less:
      return less;
    case CompareFunc::Equal:
      return equal;
    case CompareFunc::LessEqual:
      return less | equal;
    case CompareFunc::Greater:
      return ~(less | equal);
    case CompareFunc::NotEqual:
      return ~equal;
    case CompareFunc::GreaterEqual:
      return ~less;
    case CompareFunc::Always:
      break;
  }
  return kAllLanes;
}

// Words of a row, or of two where a vector holds more.
template <class Word, class D>
HWY_INLINE hn::Vec<D> LoadWords(D d, const uint8_t* at, size_t pitch) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    return hn::Combine(d, LoadWords<Word>(half, at + pitch, pitch),
                       LoadWords<Word>(half, at, pitch));
  } else if constexpr (sizeof(Word) == 4) {
    return hn::LoadU(d, reinterpret_cast<const uint32_t*>(at));
  } else {
    const hn::Rebind<uint16_t, D> narrow;
    return hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const uint16_t*>(at)));
  }
}
template <class Word, class D>
HWY_INLINE void StoreWords(D d, hn::Vec<D> words, uint8_t* at, size_t pitch) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    StoreWords<Word>(half, hn::LowerHalf(half, words), at, pitch);
    StoreWords<Word>(half, hn::UpperHalf(half, words), at + pitch, pitch);
  } else if constexpr (sizeof(Word) == 4) {
    hn::StoreU(words, d, reinterpret_cast<uint32_t*>(at));
  } else {
    const hn::Rebind<uint16_t, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<D>(), words)), narrow,
               reinterpret_cast<uint16_t*>(at));
  }
}

// [0, 1] to the integer of a channel.
HWY_INLINE VU Quantized(VF value, float largest) {
  const F32 d;
  const VF scaled = hn::Add(hn::Mul(value, hn::Set(d, largest)), hn::Set(d, 0.5F));
  return hn::BitCast(U32(), TruncateTo(I32(), scaled));
}

// What the pixels of a vector are stored as.
template <class Word, BlendKind kKind>
class PixelStore {
 public:
  PixelStore(const ColorStore& store, const std::array<Operand, 4>& colors,
             const std::array<Operand, 4>& second, const Frame& frame)
      : store_(store),
        colors_{Source(colors[0], frame), Source(colors[1], frame), Source(colors[2], frame),
                Source(colors[3], frame)},
        second_{Source(second[0], frame), Source(second[1], frame), Source(second[2], frame),
                Source(second[3], frame)},
        is_unit_(store.is_unit),
        is_argb_(store.is_argb),
        has_alpha_(store.channels[3].bits != 0) {}

  HWY_INLINE VU Words(size_t lane, VU old) const {
    BlendInputs in;
    for (size_t c = 0; c < 4; ++c)
      Load(c, lane, old, in);
    const VF inverse = hn::Sub(hn::Set(F32(), 1.0F), in.source[3]);
    if (is_argb_) {
      VU word = hn::ShiftLeft<16>(Channel(in, 0, inverse, 255.0F));
      word = hn::Or(word, hn::ShiftLeft<8>(Channel(in, 1, inverse, 255.0F)));
      word = hn::Or(word, Channel(in, 2, inverse, 255.0F));
      if (!has_alpha_) return word;
      return hn::Or(word, hn::ShiftLeft<24>(Channel(in, 3, inverse, 255.0F)));
    }
    VU word = hn::And(old, hn::Set(U32(), store_.keep));
    for (size_t c = 0; c < 4; ++c) {
      const ChannelFormat& channel = store_.channels[c];
      if (channel.bits == 0 || (store_.write_mask >> c & 1U) == 0) continue;
      const VU q = Channel(in, c, inverse, channel.largest);
      word = hn::Or(word, hn::ShiftLeftSame(q, static_cast<int>(channel.shift)));
    }
    return word;
  }

 private:
  HWY_INLINE void Load(size_t c, size_t lane, VU old, BlendInputs& in) const {
    const F32 d;
    in.source[c] = colors_[c].At(lane);
    if (!is_unit_) in.source[c] = Saturate5(in.source[c]);
    if constexpr (kKind == BlendKind::kNone) return;
    const ChannelFormat& channel = store_.channels[c];
    if (channel.bits == 0) {
      in.destination[c] = hn::Set(d, 1.0F);
    } else {
      const VU stored = hn::And(hn::ShiftRightSame(old, static_cast<int>(channel.shift)),
                                hn::Set(U32(), (1U << channel.bits) - 1));
      in.destination[c] =
          hn::Mul(hn::ConvertTo(d, hn::BitCast(I32(), stored)), hn::Set(d, channel.scale));
    }
    if constexpr (kKind == BlendKind::kAny) in.second[c] = Saturate5(second_[c].At(lane));
  }

  HWY_INLINE VU Channel(const BlendInputs& in, size_t c, VF inverse, float largest) const {
    VF value = in.source[c];
    if constexpr (kKind == BlendKind::kAlpha) {
      value = hn::Add(hn::Mul(value, in.source[3]), hn::Mul(in.destination[c], inverse));
    } else if constexpr (kKind == BlendKind::kAdd) {
      value = hn::Add(value, in.destination[c]);
    } else if constexpr (kKind == BlendKind::kAny) {
      value = BlendChannel(store_.blend, in, c);
    }
    if constexpr (kKind != BlendKind::kNone) value = Saturate5(value);
    return Quantized(value, largest);
  }

  const ColorStore& store_;
  // Copies: nothing that is stored in between changes them.
  const Source colors_[4], second_[4];
  const bool is_unit_, is_argb_, has_alpha_;
};

template <class Word, BlendKind kKind>
void StoreColors(const ColorStore& store, const std::array<Operand, 4>& colors,
                 const std::array<Operand, 4>& second, const Frame& frame, uint64_t mask,
                 const BlockBytes& bytes) {
  const U32 d;
  const PixelStore<Word, kKind> pixels(store, colors, second, frame);
  const bool keeps = store.keep != 0;
  uint8_t* const first = bytes.bytes;
  const size_t pitch = bytes.pitch;
  constexpr uint64_t kVector = (uint64_t{1} << hn::MaxLanes(d)) - 1;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const uint64_t bits = mask >> lane & kVector;
    if (bits == 0) continue;
    uint8_t* at = first + lane / 8 * pitch + lane % 8 * sizeof(Word);
    const bool needs_old = kKind != BlendKind::kNone || bits != kVector || keeps;
    const VU old = needs_old ? LoadWords<Word>(d, at, pitch) : hn::Zero(d);
    VU word = pixels.Words(lane, old);
    if (bits != kVector) word = hn::IfThenElse(MaskOf(bits), word, old);
    StoreWords<Word>(d, word, at, pitch);
  }
}

template <class Word>
void StoreKind(const ColorStore& store, const std::array<Operand, 4>& colors,
               const std::array<Operand, 4>& second, const Frame& frame, uint64_t mask,
               const BlockBytes& bytes) {
  switch (store.kind) {
    case BlendKind::kNone:
      return StoreColors<Word, BlendKind::kNone>(store, colors, second, frame, mask, bytes);
    case BlendKind::kAlpha:
      return StoreColors<Word, BlendKind::kAlpha>(store, colors, second, frame, mask, bytes);
    case BlendKind::kAdd:
      return StoreColors<Word, BlendKind::kAdd>(store, colors, second, frame, mask, bytes);
    case BlendKind::kAny:
      return StoreColors<Word, BlendKind::kAny>(store, colors, second, frame, mask, bytes);
  }
}

void Store(const ColorStore& store, const std::array<Operand, 4>& colors,
           const std::array<Operand, 4>& second, const Frame& frame, uint64_t mask,
           const BlockBytes& bytes) {
  store.word_size == 2 ? StoreKind<uint16_t>(store, colors, second, frame, mask, bytes)
                       : StoreKind<uint32_t>(store, colors, second, frame, mask, bytes);
}

using B64 = hn::CappedTag<uint8_t, 64>;
using VB = hn::Vec<B64>;

// A row that is shorter than a vector, or whose pixels do not fit in vectors.
void FillBytes(const FillPattern& pattern, uint8_t* row, size_t size) {
  for (size_t done = 0; done < size; done += FillPattern::kSize) {
    const size_t count = std::min(size - done, FillPattern::kSize);
    uint8_t* const to = row + done;
    if (!pattern.keeps) {
      std::memcpy(to, pattern.value.data(), count);
      continue;
    }
    for (size_t i = 0; i < count; ++i)
      to[i] = static_cast<uint8_t>((to[i] & pattern.keep[i]) | pattern.value[i]);
  }
}

// A row of at least a vector. Those at its ends overlap others: what is kept stays the same however often it is stored.
template <bool kKeeps>
HWY_INLINE void FillRow(const FillPattern& pattern, uint8_t* row, size_t size) {
  const B64 d;
  constexpr size_t kVector = hn::MaxLanes(d);
  const VB value = hn::Load(d, pattern.value.data());
  const VB keep = hn::Load(d, pattern.keep.data());
  const auto made = [&](const uint8_t* at) {
    if constexpr (!kKeeps) return value;
    return hn::Or(hn::And(hn::LoadU(d, at), keep), value);
  };
  uint8_t* const last = row + size - kVector;
  hn::StoreU(made(row), d, row);
  // Whole cache lines, where a pixel starts at each.
  const size_t unaligned = reinterpret_cast<uintptr_t>(row) % kVector;
  uint8_t* at = row + kVector - (unaligned % pattern.pixel_size == 0 ? unaligned : 0);
  for (; at + 3 * kVector < last; at += 4 * kVector) {
    for (size_t i = 0; i < 4; ++i)
      hn::StoreU(made(at + i * kVector), d, at + i * kVector);
  }
  for (; at < last; at += kVector)
    hn::StoreU(made(at), d, at);
  hn::StoreU(made(last), d, last);
}

void Fill(const FillPattern& pattern, const FillRows& rows) {
  const bool fits =
      hn::MaxLanes(B64()) % pattern.pixel_size == 0 && rows.row_size >= hn::MaxLanes(B64());
  uint8_t* row = rows.bytes;
  for (size_t y = 0; y < rows.rows; ++y, row += rows.pitch) {
    if (!fits) {
      FillBytes(pattern, row, rows.row_size);
    } else if (pattern.keeps) {
      FillRow<true>(pattern, row, rows.row_size);
    } else {
      FillRow<false>(pattern, row, rows.row_size);
    }
  }
}

void FillStore(RasterKernels& kernels) {
  kernels.test_alpha = TestAlpha;
  kernels.store = Store;
  kernels.fill = Fill;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillStore);

void AddStoreKernels(RasterKernels& kernels) {
  HWY_DYNAMIC_DISPATCH(FillStore)(kernels);
}

}  // namespace dp2trace::fast
#endif
