// Blocks of 4x4 texels. Source: lib/raster/rendering-texture.md 3.7.
#include <utility>

#include "base/bytes.h"
#include "image/block.h"
#include "scrub/scrub_texels.h"

namespace dp2trace::scrub {
namespace {

using d3d::Format;

constexpr uint32_t kTexels = 16;

// Two colours, whose order says whether index 3 is transparent (of DXT1), and 16 indices of 2 bits.
void ScrubColors(bool has_transparent_mode, uint64_t random, uint64_t random_indices, uint8_t* at) {
  const bool is_transparent = has_transparent_mode && LoadU16(at) <= LoadU16(at + 2);
  auto low = static_cast<uint16_t>(random);
  auto high = static_cast<uint16_t>(random >> 16);
  if (low > high) std::swap(low, high);
  if (low == high) low = high == 0 ? high++ : static_cast<uint16_t>(high - 1);
  Store(at, is_transparent ? low : high);
  Store(at + 2, is_transparent ? high : low);
  const uint32_t old = LoadU32(at + 4);
  auto indices = static_cast<uint32_t>(random_indices);
  if (is_transparent) {
    indices = 0;
    for (uint32_t i = 0; i < kTexels; ++i) {
      const bool stays = (old >> 2 * i & 3) == 3;
      const uint32_t color = static_cast<uint32_t>(random_indices >> 4 * i & 15) % 3;
      indices |= (stays ? 3 : color) << 2 * i;
    }
  }
  Store(at + 4, indices);
}

// 16 alphas of 4 bits.
void ScrubExplicitAlpha(const Noise& noise, uint64_t place, uint8_t* at) {
  const uint64_t random = noise.At(place);
  uint64_t alphas = 0;
  for (uint32_t i = 0; i < kTexels; ++i) {
    const uint64_t old = (uint64_t{at[i / 2]} >> 4 * (i % 2)) & 15U;
    const uint64_t between = 1 + (random >> 4 * i & 15) % 14;
    alphas |= (old == 0 || old == 15 ? old : between) << 4 * i;
  }
  for (uint32_t i = 0; i < 8; ++i)
    at[i] = static_cast<uint8_t>(alphas >> 8 * i);
}

// Two alphas and 16 indices of 3 bits.
void ScrubInterpolatedAlpha(const d3d::FormatInfo& info, const Noise& noise, uint64_t place,
                            uint8_t* at) {
  constexpr uint64_t kZero = 6;
  constexpr uint64_t kOpaque = 7;  // of blocks whose first alpha is not the larger one
  const image::BlockTexels old = image::DecodeBlock(info, at);
  const uint64_t random = noise.At(place);
  uint64_t indices = 0;
  for (uint32_t i = 0; i < kTexels; ++i) {
    const uint8_t alpha = old[i][3];
    const uint64_t between = (random >> 3 * i & 7) % 6;
    indices |= (alpha == 0 ? kZero : alpha == 255 ? kOpaque : between) << 3 * i;
  }
  at[0] = static_cast<uint8_t>(64 + (random >> 48 & 63));
  at[1] = static_cast<uint8_t>(160 + (random >> 54 & 63));
  for (uint32_t i = 0; i < 6; ++i)
    at[2 + i] = static_cast<uint8_t>(indices >> 8 * i);
}

}  // namespace

void ScrubBlock(const d3d::FormatInfo& info, uint64_t place, const Noise& noise, uint8_t* block) {
  const uint64_t colors = noise.At(place);
  const uint64_t indices = noise.At(place + 1);
  switch (info.format) {
    case Format::DXT1:
      return ScrubColors(true, colors, indices, block);
    case Format::DXT2:
    case Format::DXT3:
      ScrubExplicitAlpha(noise, place + 2, block);
      return ScrubColors(false, colors, indices, block + 8);
    case Format::DXT4:
    case Format::DXT5:
      ScrubInterpolatedAlpha(info, noise, place + 2, block);
      return ScrubColors(false, colors, indices, block + 8);
    default:
      // Blocks of one or two channels.
      for (uint32_t i = 0; i < info.block_size; ++i)
        block[i] = static_cast<uint8_t>(noise.At(place + i / 8) >> 8 * (i % 8));
  }
}

}  // namespace dp2trace::scrub
