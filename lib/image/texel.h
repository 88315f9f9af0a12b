// One texel as numbers: decoded to binary32 or as the stored integers.
#pragma once

#include <array>
#include <cstdint>

namespace dp2trace::image {

// R, G, B, A.
using Texel = std::array<float, 4>;

// R, G, B, A as the integers that the texel holds; a channel that the format lacks is 0 or 255 with 8 unsigned bits.
// Source: lib/raster/rendering-texture.md 3.2.
using StoredTexel = std::array<int32_t, 4>;

// How a stored integer becomes a number: t * UnormScale(bits) or, signed, max(t * UnormScale(bits - 1), -1).
struct StoredChannel {
  uint8_t bits = 8;
  bool is_signed = false;
  bool operator==(const StoredChannel&) const = default;
};

// fl(1 / (2^bits - 1)), 1 <= bits <= 16: the largest integer gives exactly 1. Source: lib/raster/rendering-texture.md 3.7.
constexpr float UnormScale(uint32_t bits) {
  return 1.0F / static_cast<float>((uint32_t{1} << bits) - 1);
}

// 256 colours in force for a palettised surface; the red, green, blue, alpha bytes whatever order the trace stores.
struct Palette {
  std::array<std::array<uint8_t, 4>, 256> rgba = {};
  bool has_alpha = false;  // without it P8 is opaque
};

}  // namespace dp2trace::image
