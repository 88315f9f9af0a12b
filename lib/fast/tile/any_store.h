// Storing colours in pixels of any format, with everything that may happen to them on the way.
// Source: lib/raster/rendering-output.md 5.2 and 5.6 to 5.9.
#pragma once

#include <array>
#include <cstdint>

#include "fast/machine/block.h"
#include "fast/texture/texel_channels.h"
#include "fast/tile/srgb_steps.h"
#include "raster/pixel/blend.h"
#include "raster/pixel/write.h"

namespace dp2trace::fast {

// A channel of a target's pixel.
struct StoredChannel : TexelChannel {
  // False where another one says what is stored there: green and blue of luminance.
  bool is_stored = false;
  bool is_dithered = false;
  // Of an sRGB target, unless it dithers: the curve and the way to integers in one.
  const SrgbSteps* steps = nullptr;
};

struct AnyStore {
  uint32_t pixel_size = 4;  // bytes, at most 16
  uint32_t word_count = 1;
  std::array<StoredChannel, 4> channels;  // R, G, B, A
  // Of the channels that are written, and of the others.
  std::array<uint32_t, 4> written_bits = {}, kept_bits = {};
  raster::ColorRange range = raster::ColorRange::kUnsigned;
  bool blends = false;
  raster::BlendPlan blend;
  bool is_srgb = false;
  bool dithers = false;
  bool has_logic = false;
  uint32_t rop2 = 0;
  uint32_t plane_mask = 0;
  // What is stored depends on what was there, or not all of it is written.
  bool reads = false;
};

// Pixels of a block, their first words before their second ones.
struct alignas(64) PixelWords {
  std::array<std::array<uint32_t, kLanes>, 4> words;
};

// The target can be written (TargetWriter::CanWrite).
AnyStore AnyStoreOf(const raster::TargetWriter& writer);

}  // namespace dp2trace::fast
