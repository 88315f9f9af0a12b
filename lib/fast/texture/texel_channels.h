// Where the channels of a pixel or texel are in its words, and what numbers they are: formats whose texels are each by themselves.
// Source: lib/raster/rendering-texture.md 3.7 and 3.11.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "d3d/formats.h"
#include "fast/machine/isa.h"

namespace dp2trace::fast {

struct TexelChannel {
  enum class Kind : uint8_t { kMissing, kUnsigned, kSigned, kHalf, kFloat, kDepth };
  Kind kind = Kind::kMissing;
  uint32_t word = 0;   // of the pixel, 32 bits each
  uint32_t shift = 0;  // in the word
  uint32_t bits = 0;
  float largest = 0;     // of integers
  float scale = 1;       // of integers that are not depths: 1 / largest
  float lowest = -1.0F;  // of signed ones, scaled
  float missing = 1.0F;  // what it reads as where it is not there
  // Of unsigned ones, where they are sRGB: the linear value of each integer.
  const float* linear = nullptr;

  // The place of a channel in a pixel.
  void Place(uint32_t offset_bits, uint32_t width_bits) {
    word = offset_bits / 32;
    shift = offset_bits % 32;
    bits = width_bits;
  }
  bool operator==(const TexelChannel&) const = default;
};

struct TexelChannels {
  uint32_t size = 4;                     // bytes, 1 to 16
  std::array<TexelChannel, 4> channels;  // R, G, B, A
  // Decoded to one number each: the others are the same one, or constants.
  bool is_single = false;
};

// Nothing for formats that need more than these: blocks, YUV, palettes, depth of 32 integer bits and of D24FS8, CxV8U8, XR_BIAS.
std::optional<TexelChannels> ChannelsOf(const d3d::FormatInfo& info);

// Texels of a row to four numbers each, or to one.
using DecodeTexels = void (*)(const TexelChannels& channels, const uint8_t* row, uint32_t count,
                              float* to);
DecodeTexels DecodeTexelsOf(const Isa& isa);

}  // namespace dp2trace::fast
