#include "fast/texture/texel_channels.h"

#include "image/decoder.h"
#include "image/depth.h"

namespace dp2trace::fast {
namespace {

using Kind = TexelChannel::Kind;

constexpr uint32_t kMaxDepthBits = 24;  // that binary32 holds

bool IsPlain(const d3d::FormatInfo& info) {
  return info.block_width == 1 && info.format != d3d::Format::CxV8U8 &&
         info.format != d3d::Format::A2B10G10R10XrBias;
}

TexelChannel IntegerChannel(const image::IntegerSlot& slot) {
  TexelChannel channel;
  if (slot.width_bits == 0) {
    channel.missing = static_cast<float>(slot.missing) * image::UnormScale(8);
    return channel;
  }
  channel.Place(slot.offset_bits, slot.width_bits);
  channel.kind = slot.is_signed ? Kind::kSigned : Kind::kUnsigned;
  const uint32_t bits = slot.is_signed ? slot.width_bits - 1U : slot.width_bits;
  channel.largest = static_cast<float>((1U << bits) - 1);
  channel.scale = image::UnormScale(bits);
  return channel;
}

TexelChannel FloatChannel(const d3d::Channel* stored) {
  TexelChannel channel;
  if (stored == nullptr) return channel;
  channel.Place(stored->offset_bits, stored->width_bits);
  channel.kind = stored->width_bits == 16 ? Kind::kHalf : Kind::kFloat;
  return channel;
}

std::optional<TexelChannel> DepthChannel(const d3d::FormatInfo& info) {
  const d3d::Channel* const stored = info.FindChannel('Z');
  TexelChannel channel;
  if (stored == nullptr) {
    channel.missing = 0;
    return channel;
  }
  channel.Place(stored->offset_bits, stored->width_bits);
  if (stored->type == d3d::ChannelType::kFloat) {
    channel.kind = Kind::kFloat;
    return channel.bits == 32 ? std::optional(channel) : std::nullopt;
  }
  channel.kind = Kind::kDepth;
  channel.largest = static_cast<float>((uint64_t{1} << channel.bits) - 1);
  return channel.bits <= kMaxDepthBits ? std::optional(channel) : std::nullopt;
}

}  // namespace

std::optional<TexelChannels> ChannelsOf(const d3d::FormatInfo& info) {
  TexelChannels texel = {.size = info.block_size, .channels = {}};
  switch (info.kind) {
    case d3d::FormatKind::kUnorm:
    case d3d::FormatKind::kLuminance:
    case d3d::FormatKind::kBump: {
      if (!IsPlain(info)) return std::nullopt;
      const std::array<image::IntegerSlot, 4> slots = image::IntegerSlotsOf(info);
      for (size_t i = 0; i < 4; ++i)
        texel.channels[i] = IntegerChannel(slots[i]);
      return texel;
    }
    case d3d::FormatKind::kFloat:
      for (size_t i = 0; i < 4; ++i)
        texel.channels[i] = FloatChannel(info.FindChannel("RGBA"[i]));
      return texel;
    case d3d::FormatKind::kDepth:
    case d3d::FormatKind::kDepthTexture: {
      const std::optional<TexelChannel> depth = DepthChannel(info);
      if (!depth) return std::nullopt;
      texel.channels.fill(*depth);
      return texel;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace dp2trace::fast
