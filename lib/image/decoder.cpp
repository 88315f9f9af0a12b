#include "image/decoder.h"

#include <algorithm>

#include "image/decode.h"
#include "image/depth.h"

namespace dp2trace::image {
namespace {

using d3d::Format;
using d3d::FormatKind;

std::array<StoredChannel, 4> ChannelsOf(const std::array<IntegerSlot, 4>& slots) {
  std::array<StoredChannel, 4> channels = {};
  for (size_t i = 0; i < 4; ++i) {
    if (slots[i].width_bits != 0) channels[i] = {slots[i].width_bits, slots[i].is_signed};
  }
  return channels;
}

bool HasSlots(FormatKind kind) {
  return kind == FormatKind::kUnorm || kind == FormatKind::kLuminance || kind == FormatKind::kBump;
}

float FromStoredChannel(int32_t stored, const StoredChannel& channel) {
  const auto number = static_cast<float>(stored);
  if (!channel.is_signed) return number * UnormScale(channel.bits);
  const float value = number * UnormScale(channel.bits - 1U);
  return value > -1.0F ? value : -1.0F;
}

}  // namespace

Decoder::StoredFunction Decoder::FindStored(const d3d::FormatInfo& info) {
  if (info.format == Format::CxV8U8 || info.format == Format::A2B10G10R10XrBias) return nullptr;
  switch (info.kind) {
    case FormatKind::kUnorm:
    case FormatKind::kLuminance:
    case FormatKind::kBump:
      return StoredInteger;
    case FormatKind::kPalette:
      return StoredPalette;
    case FormatKind::kBlock:
      return StoredBlock;
    case FormatKind::kPackedRgb:
      return StoredPackedRgb;
    case FormatKind::kYuv:
      return StoredYuv;
    case FormatKind::kPlanarYuv:
      return StoredPlanarYuv;
    case FormatKind::kMultiElement:
      return StoredMultiElement;
    case FormatKind::kFloat:
    case FormatKind::kDepth:
    case FormatKind::kDepthTexture:
    case FormatKind::kBuffer:
    case FormatKind::kNone:
      break;
  }
  return nullptr;
}

Decoder::Decoder(const d3d::FormatInfo& info, const Palette* palette)
    : info_(&info), palette_(palette), stored_(FindStored(info)) {
  if (HasSlots(info.kind)) {
    slots_ = IntegerSlotsOf(info);
    channels_ = ChannelsOf(slots_);
  }
  filters_exactly_ = has_stored() && std::ranges::all_of(channels_, [](const StoredChannel& c) {
                       return c.bits <= 8;
                     });
}

Texel Decoder::FromStored(const StoredTexel& stored) const {
  Texel texel = {};
  for (size_t i = 0; i < 4; ++i) {
    texel[i] = FromStoredChannel(stored[i], channels_[i]);
  }
  return texel;
}

Texel Decoder::Decode(const ConstLevel& level, uint32_t x, uint32_t y, uint32_t z) const {
  if (has_stored()) return FromStored(Stored(level, x, y, z));
  const uint8_t* pixel = level.block(x, y, z);
  if (info_->kind == FormatKind::kFloat) return DecodeFloat(*info_, pixel);
  if (info_->format == Format::CxV8U8) return DecodeCxV8U8(pixel);
  if (info_->format == Format::A2B10G10R10XrBias) return DecodeXrBias(*this, pixel);
  if (info_->is_depth()) {
    const auto depth =
        static_cast<float>(DepthToDouble(*info_, LoadDepthStencil(*info_, pixel).depth));
    return {depth, depth, depth, depth};
  }
  return {};
}

}  // namespace dp2trace::image
