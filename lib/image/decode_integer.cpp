// Plain integer formats: channels of up to 16 bits at the places that the format table names, and palette indices.
#include <cstring>

#include "base/bytes.h"
#include "image/decode.h"

namespace dp2trace::image {
namespace {

// The stored channel that serves R, G, B or A (`target`), or null. Source: lib/raster/rendering-texture.md 3.7, the table.
const d3d::Channel* SourceOf(const d3d::FormatInfo& info, char target) {
  const bool is_bump = info.kind == d3d::FormatKind::kBump;
  const char bump_name = target == 'R' ? 'U' : target == 'G' ? 'V' : target == 'B' ? 'W' : 'Q';
  if (const d3d::Channel* channel = info.FindChannel(is_bump ? bump_name : target)) return channel;
  const bool takes_luminance = target == 'B' || (!is_bump && target != 'A');
  if (takes_luminance) return info.FindChannel('L');
  return target == 'A' ? info.FindChannel('A') : nullptr;
}

// Formats that hold alpha and nothing else.
bool IsAlphaOnly(const d3d::FormatInfo& info) {
  return info.channels[0].name == 'A' && info.channels[1].name == 0;
}

// Pixels smaller than a byte: the first pixel is in the most significant bits.
uint32_t BitOffsetInBlock(const Decoder& decoder, uint32_t x) {
  const d3d::FormatInfo& info = decoder.info();
  if (info.block_width == 1) return 0;
  const uint32_t bits = info.block_size * 8U / info.block_width;
  return (info.block_width - 1U - x % info.block_width) * bits;
}

}  // namespace

uint64_t LoadWord(const uint8_t* at, uint32_t size) {
  uint64_t word = 0;
  std::memcpy(&word, at, size);
  return word;
}

void StoreWord(uint8_t* at, uint32_t size, uint64_t value) {
  std::memcpy(at, &value, size);
}

int32_t ExtractBits(uint64_t word, const IntegerSlot& slot) {
  const uint64_t mask = (uint64_t{1} << slot.width_bits) - 1;
  const auto value = static_cast<int32_t>(word >> slot.offset_bits & mask);
  const bool is_negative = slot.is_signed && (value >> (slot.width_bits - 1)) != 0;
  return is_negative ? value - (int32_t{1} << slot.width_bits) : value;
}

std::array<IntegerSlot, 4> IntegerSlotsOf(const d3d::FormatInfo& info) {
  std::array<IntegerSlot, 4> slots = {};
  for (size_t i = 0; i < 4; ++i) {
    if (const d3d::Channel* channel = SourceOf(info, "RGBA"[i])) {
      slots[i] = {channel->offset_bits, channel->width_bits,
                  channel->type == d3d::ChannelType::kSnorm, 0};
    } else if (IsAlphaOnly(info)) {
      slots[i].missing = 0;
    }
  }
  return slots;
}

StoredTexel StoredInteger(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                          uint32_t z) {
  const uint64_t word =
      LoadWord(level.block(x, y, z), decoder.info().block_size) >> BitOffsetInBlock(decoder, x);
  StoredTexel texel = {};
  for (size_t i = 0; i < 4; ++i) {
    const IntegerSlot& slot = decoder.slots()[i];
    texel[i] = slot.width_bits == 0 ? slot.missing : ExtractBits(word, slot);
  }
  return texel;
}

StoredTexel StoredPalette(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                          uint32_t z) {
  const uint8_t* pixel = level.block(x, y, z);  // index byte first, then A8 if there is one
  const bool has_alpha_byte = decoder.info().block_size == 2;
  const Palette* palette = decoder.palette();
  if (palette == nullptr) return {0, 0, 0, has_alpha_byte ? pixel[1] : 0};
  const std::array<uint8_t, 4>& entry = palette->rgba[pixel[0]];
  const uint8_t opaque_or_entry = palette->has_alpha ? entry[3] : uint8_t{255};
  return {entry[0], entry[1], entry[2], has_alpha_byte ? pixel[1] : opaque_or_entry};
}

StoredTexel StoredMultiElement(const Decoder& /*decoder*/, const ConstLevel& level, uint32_t x,
                               uint32_t y, uint32_t z) {
  const uint8_t* pixel = level.block(x, y, z);
  return {pixel[2], pixel[1], pixel[0], pixel[3]};
}

}  // namespace dp2trace::image
