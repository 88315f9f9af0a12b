// Texels of any format as numbers: the one place where stored bits become colours.
// Source: lib/raster/rendering-texture.md 3.7, 3.10 and 3.11.
#pragma once

#include <array>
#include <cstdint>

#include "d3d/formats.h"
#include "image/level.h"
#include "image/texel.h"

namespace dp2trace::image {

// Where one of R, G, B, A comes from in a plain integer pixel.
struct IntegerSlot {
  uint8_t offset_bits = 0;
  uint8_t width_bits = 0;  // 0: the format lacks it
  bool is_signed = false;
  uint8_t missing = 255;  // value of 8 unsigned bits that stands for a missing channel
};

// Reads texels of one format. Cheap to make; make it once per surface and not per texel. The palette must outlive it.
class Decoder {
 public:
  // Without a palette an index reads as (0, 0, 0, 0), as an entry past the end of a palette does.
  explicit Decoder(const d3d::FormatInfo& info, const Palette* palette = nullptr);

  const d3d::FormatInfo& info() const { return *info_; }
  const Palette* palette() const { return palette_; }
  const std::array<IntegerSlot, 4>& slots() const { return slots_; }

  // True where texels are integers of at most 16 bits per channel: all kinds but floats, depth, CxV8U8, XR_BIAS and buffers.
  bool has_stored() const { return stored_ != nullptr; }
  // True where filtering is exact in integers (lib/raster/rendering-texture.md 3.2): integers of at most 8 bits.
  bool filters_exactly() const { return filters_exactly_; }
  // Only where has_stored().
  const std::array<StoredChannel, 4>& stored_channels() const { return channels_; }
  StoredTexel Stored(const ConstLevel& level, uint32_t x, uint32_t y, uint32_t z = 0) const {
    return stored_(*this, level, x, y, z);
  }

  // Depth formats give the depth in all four channels; buffers and NULL give zeros.
  Texel Decode(const ConstLevel& level, uint32_t x, uint32_t y, uint32_t z = 0) const;
  // The same number for each stored integer; only where has_stored().
  Texel FromStored(const StoredTexel& stored) const;

 private:
  using StoredFunction = StoredTexel (*)(const Decoder&, const ConstLevel&, uint32_t, uint32_t,
                                         uint32_t);
  static StoredFunction FindStored(const d3d::FormatInfo& info);

  const d3d::FormatInfo* info_;
  const Palette* palette_;
  StoredFunction stored_;
  std::array<IntegerSlot, 4> slots_ = {};
  std::array<StoredChannel, 4> channels_ = {};
  bool filters_exactly_ = false;
};

// The four slots of a plain integer format (kinds unorm, luminance, palette and bump): L serves R, G and B (B only beside U and V),
// U, V, W, Q are R, G, B, A; missing channels are 1, the colour of formats that have only alpha is 0.
std::array<IntegerSlot, 4> IntegerSlotsOf(const d3d::FormatInfo& info);

}  // namespace dp2trace::image
