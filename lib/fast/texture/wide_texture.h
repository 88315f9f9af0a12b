// Textures of any format and kind as numbers: four floats for each texel, or one, whatever the decoder makes of it, with tables of where the
// taps of each axis lie. For what FastTexture cannot hold. Source: lib/raster/rendering-texture.md 3.1, 3.2 and 3.5 to 3.11.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "fast/texture/fast_texture.h"
#include "fast/texture/texel_channels.h"
#include "raster/texture/sampler.h"

namespace dp2trace::fast {

// What of a sampler's states and of its texture's properties the texels and tables depend on.
struct WideForm {
  // Stored integers, which are filtered exactly; else colours.
  bool is_exact = false;
  bool decodes_srgb = false;
  bool is_volume = false;
  bool kills_by_alpha = false;
  std::array<uint32_t, 3> address = {};
  uint32_t border = 0;  // ARGB
  uint32_t faces = 1;   // bit f: face f exists
  uint32_t empty_face = 0;
  bool has_key = false;
  uint32_t key_low = 0, key_high = 0;
  auto operator<=>(const WideForm&) const = default;
};

struct WideAxis {
  FastAxis axis;
  bool is_periodic = false;
  uint32_t first_tap = 0;  // of WideTexture::taps: that of index axis.low
  int32_t stride = 0;      // within the texture, an index has the tap index * stride
};

struct WideLevel {
  int32_t first = 0;  // texel of face 0
  std::array<WideAxis, 3> axes;
};

// Immutable.
struct WideTexture {
  // Of the border, which is texel 0. A sum of taps is negative where one of them is.
  static constexpr int32_t kBorder = -(int32_t{1} << 28);

  std::vector<WideLevel> levels;
  std::vector<int32_t> taps;        // what an index adds to the number of the texel
  std::unique_ptr<float[]> texels;  // R, G, B, A of each; R where is_single
  uint32_t texel_count = 0;
  int32_t face_size = 0;  // texels
  // Of sums of stored integers, which have weights of 2^16 together.
  std::array<float, 4> scales = {};
  std::vector<int32_t>
      keyed;  // by texel: not 0 where it matches the colour key; empty where that kills nothing
  bool is_exact = false;
  // The other channels of a texel are the first one, or 1.
  bool is_single = false;
  bool repeats_first = false;
  bool kills_by_alpha = false;
  bool compares_depth = false;  // the third coordinate is less or equal: 1, else 0
  bool is_cube = false, is_volume = false;

  uint32_t numbers() const { return is_single ? 1 : 4; }  // of a texel
  uint64_t size_bytes() const { return 4 * (texel_count * numbers() + taps.size() + keyed.size()); }
};

// True for what WideTexture can hold: all but the largest.
bool HasWideForm(const raster::Sampler& sampler);
// `is_exact` only where the sampler's reader filters exactly.
WideForm WideFormOf(const raster::Sampler& sampler, bool is_exact);
std::shared_ptr<const WideTexture> MakeWideTexture(const raster::Sampler& sampler,
                                                   const WideForm& form, DecodeTexels decode,
                                                   Workers& workers);

}  // namespace dp2trace::fast
