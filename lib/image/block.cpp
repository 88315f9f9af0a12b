#include "image/block.h"

#include "base/bytes.h"
#include "image/decode.h"

namespace dp2trace::image {
namespace {

using d3d::Format;
using Rgba = std::array<uint8_t, 4>;
using Values = std::array<uint8_t, 8>;

uint8_t Byte(uint32_t value) {
  return static_cast<uint8_t>(value);
}

// 565 by bit replication.
Rgba Expand565(uint32_t color) {
  const uint32_t r = color >> 11 & 0x1FU;
  const uint32_t g = color >> 5 & 0x3FU;
  const uint32_t b = color & 0x1FU;
  return {Byte(r << 3 | r >> 2), Byte(g << 2 | g >> 4), Byte(b << 3 | b >> 2), 255};
}

// The palette of a colour block.
std::array<Rgba, 4> ColorsOf(const uint8_t* block, bool has_three_color_mode) {
  const uint32_t c0 = LoadU16(block);
  const uint32_t c1 = LoadU16(block + 2);
  std::array<Rgba, 4> colors = {Expand565(c0), Expand565(c1)};
  const bool is_three_color = has_three_color_mode && c0 <= c1;
  for (size_t c = 0; c < 3; ++c) {
    const uint32_t e0 = colors[0][c];
    const uint32_t e1 = colors[1][c];
    colors[2][c] = Byte(is_three_color ? (e0 + e1) / 2 : (2 * e0 + e1 + 1) / 3);
    colors[3][c] = Byte(is_three_color ? 0 : (e0 + 2 * e1 + 1) / 3);
  }
  colors[2][3] = 255;
  colors[3][3] = is_three_color ? 0 : 255;
  return colors;
}

Rgba ColorAt(const uint8_t* block, uint32_t texel, bool has_three_color_mode) {
  const uint32_t code = LoadU32(block + 4) >> (2 * texel) & 3U;
  return ColorsOf(block, has_three_color_mode)[code];
}

// 4 bits per texel.
uint8_t ExplicitAlphaAt(const uint8_t* block, uint32_t texel) {
  return Byte((uint32_t{block[texel / 2]} >> (4 * (texel % 2)) & 0xFU) * 17);
}

// The eight values of an interpolated channel.
Values InterpolatedValues(uint32_t a0, uint32_t a1) {
  Values values = {Byte(a0), Byte(a1)};
  for (uint32_t i = 2; i < 8; ++i) {
    if (a0 > a1) {
      values[i] = Byte(((8 - i) * a0 + (i - 1) * a1 + 3) / 7);
    } else if (i < 6) {
      values[i] = Byte(((6 - i) * a0 + (i - 1) * a1 + 2) / 5);
    }
  }
  if (a0 <= a1) values[7] = 255;
  return values;
}

uint8_t InterpolatedAt(const uint8_t* block, uint32_t texel) {
  const uint64_t codes = LoadU64(block) >> 16;  // 16 codes of 3 bits
  return InterpolatedValues(block[0], block[1])[codes >> (3 * texel) & 7U];
}

Rgba TexelAt(Format format, const uint8_t* block, uint32_t texel) {
  if (format == Format::DXT1) return ColorAt(block, texel, true);
  if (format == Format::Ati1) {
    const uint8_t value = InterpolatedAt(block, texel);
    return {value, value, value, value};
  }
  if (format ==
      Format::
          Ati2) {  // Unspecified: vendor format; chosen as in lib/raster/rendering-texture.md 3.7.2
    return {InterpolatedAt(block + 8, texel), InterpolatedAt(block, texel), 255, 255};
  }
  Rgba color = ColorAt(block + 8, texel, false);
  const bool is_explicit = format == Format::DXT2 || format == Format::DXT3;
  color[3] = is_explicit ? ExplicitAlphaAt(block, texel) : InterpolatedAt(block, texel);
  return color;
}

}  // namespace

BlockTexels DecodeBlock(const d3d::FormatInfo& info, const uint8_t* block) {
  BlockTexels texels = {};
  for (uint32_t i = 0; i < 16; ++i) {
    texels[i] = TexelAt(info.format, block, i);
  }
  return texels;
}

StoredTexel StoredBlock(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                        uint32_t z) {
  const Rgba rgba = TexelAt(decoder.info().format, level.block(x, y, z), 4 * (y % 4) + x % 4);
  return {rgba[0], rgba[1], rgba[2], rgba[3]};
}

}  // namespace dp2trace::image
