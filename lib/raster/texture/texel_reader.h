// Single texels as filters want them: stored integers or binary32, with border colour, colour key, sRGB decoding and the comparison
// of depth formats already applied.
// Source: lib/raster/rendering-texture.md 3.1, 3.2, 3.7 to 3.9 and 3.11.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "d3d/geometry.h"
#include "image/decoder.h"
#include "raster/math.h"

namespace dp2trace::raster {

// A texel after the address modes.
struct Tap {
  uint32_t x = 0, y = 0, z = 0;
  bool is_border = false;
};

// One level of one face, and how it is addressed.
struct LevelView {
  image::ConstLevel level;
  uint32_t depth = 1;  // slices that w addresses; 1 where the texture is not a volume
  std::array<uint32_t, 3> address = {};  // D3DTEXTUREADDRESS for u, v, w
  bool is_volume = false;
  bool is_missing = false;    // a face that the surface lacks: every tap is the border
  uint32_t border_color = 0;  // ARGB
};

// What happens to texels beside being decoded.
struct ReaderOptions {
  std::optional<d3d::ColorKey> color_key;
  bool blends_color_key = false;  // matching texels read as (0, 0, 0, 0)
  bool decodes_srgb = false;      // SRGBTEXTURE; formats that it does not apply to ignore it
  bool compares_depth = false;    // depth formats: reference <= depth in place of the depth
};

class TexelReader {
 public:
  // The decoder outlives the reader.
  TexelReader(const image::Decoder& decoder, const ReaderOptions& options);

  // True where filters work on Stored().
  bool filters_exactly() const { return filters_exactly_; }
  // True where the format has raw texels that a key can match.
  bool has_color_key() const { return options_.color_key.has_value(); }
  // True where Decode() compares with its reference.
  bool compares_depth() const { return options_.compares_depth; }

  // Only where filters_exactly(). Signed channels never are the lowest value.
  image::StoredTexel Stored(const LevelView& view, const Tap& tap) const;
  // The colour of integers that were summed with weights of 2^16 together.
  Float4 FromSum(const std::array<int32_t, 4>& sum) const;

  Float4 Decode(const LevelView& view, const Tap& tap, float reference) const;

  // The raw texel is in the range of the key. False for the border.
  bool MatchesColorKey(const LevelView& view, const Tap& tap) const;
  // The least significant bit of the stored alpha; 1 where the format has none.
  bool AlphaBit(const LevelView& view, const Tap& tap) const;

 private:
  bool IsZeroedByKey(const LevelView& view, const Tap& tap) const;
  Float4 DecodeSrgb(const LevelView& view, const Tap& tap) const;

  const image::Decoder* decoder_;
  ReaderOptions options_;
  uint64_t key_mask_ = 0;  // bits of the raw texel that count
  bool filters_exactly_ = false;
};

}  // namespace dp2trace::raster
