#include "image/encoder.h"

#include <bit>

#include "base/bytes.h"
#include "base/rounding.h"
#include "image/decode.h"
#include "image/half.h"

namespace dp2trace::image {
namespace {

uint64_t MaskOf(const IntegerSlot& slot) {
  return ((uint64_t{1} << slot.width_bits) - 1) << slot.offset_bits;
}

void StoreFloatChannel(float value, const d3d::Channel& channel, uint8_t* pixel) {
  uint8_t* at = pixel + channel.offset_bits / 8;
  if (channel.width_bits == 16) {
    Store(at, FloatToHalf(value));
  } else {
    Store(at, value == value ? std::bit_cast<uint32_t>(value) : kCanonicalNaN32);
  }
}

void EncodeFloat(const d3d::FormatInfo& info, const Texel& texel, uint8_t* pixel,
                 uint32_t write_mask) {
  for (size_t i = 0; i < 4; ++i) {
    const d3d::Channel* channel = info.FindChannel("RGBA"[i]);
    if (channel != nullptr && (write_mask >> i & 1U) != 0) {
      StoreFloatChannel(texel[i], *channel, pixel);
    }
  }
}

}  // namespace

Encoder::Kind Encoder::KindOf(const d3d::FormatInfo& info) {
  using d3d::FormatKind;
  if (info.kind == FormatKind::kFloat) return Kind::kFloat;
  const bool is_integer = info.kind == FormatKind::kUnorm || info.kind == FormatKind::kLuminance ||
                          info.kind == FormatKind::kBump;
  const bool is_plain = info.block_width == 1 && info.format != d3d::Format::CxV8U8 &&
                        info.format != d3d::Format::A2B10G10R10XrBias;
  return is_integer && is_plain ? Kind::kInteger : Kind::kNone;
}

Encoder::Encoder(const d3d::FormatInfo& info) : info_(&info), kind_(KindOf(info)) {
  if (kind_ != Kind::kInteger) return;
  slots_ = IntegerSlotsOf(info);
  // One stored channel has one writer: luminance takes R, but beside U and V it is B.
  for (size_t i = 1; i < 3; ++i) {
    if (info.kind == d3d::FormatKind::kLuminance) slots_[i] = {};
  }
}

StoredTexel Encoder::ToStored(const Texel& texel) const {
  StoredTexel stored = {};
  for (size_t i = 0; i < 4; ++i) {
    const IntegerSlot& slot = slots_[i];
    if (slot.width_bits == 0) continue;
    stored[i] = slot.is_signed ? ToSnorm(texel[i], slot.width_bits)
                               : static_cast<int32_t>(ToUnorm(texel[i], slot.width_bits));
  }
  return stored;
}

void Encoder::EncodeStored(const StoredTexel& stored, uint8_t* pixel, uint32_t write_mask) const {
  const uint64_t old = LoadWord(pixel, info_->block_size);
  uint64_t word = 0;
  for (size_t i = 0; i < 4; ++i) {
    const IntegerSlot& slot = slots_[i];
    if (slot.width_bits == 0) continue;
    const bool is_written = (write_mask >> i & 1U) != 0;
    const uint64_t bits =
        is_written ? uint64_t{static_cast<uint32_t>(stored[i])} << slot.offset_bits : old;
    word |= bits & MaskOf(slot);
  }
  StoreWord(pixel, info_->block_size, word);
}

void Encoder::Encode(const Texel& texel, uint8_t* pixel, uint32_t write_mask) const {
  if (kind_ == Kind::kFloat) {
    EncodeFloat(*info_, texel, pixel, write_mask);
  } else {
    EncodeStored(ToStored(texel), pixel, write_mask);
  }
}

}  // namespace dp2trace::image
