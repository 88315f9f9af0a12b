// Colours to stored pixels: the reverse of decoder.h for every format that can be a target of drawing.
// Source: lib/raster/rendering-output.md 5.7 and 7.2. Depth is in depth.h, fill colours are in fill.h.
#pragma once

#include <array>
#include <cstdint>

#include "image/decoder.h"

namespace dp2trace::image {

// Bits of COLORWRITEENABLE.
inline constexpr uint32_t kWriteRed = 1;
inline constexpr uint32_t kWriteGreen = 2;
inline constexpr uint32_t kWriteBlue = 4;
inline constexpr uint32_t kWriteAlpha = 8;
inline constexpr uint32_t kWriteAll = 15;

// Writes pixels of one format. Cheap to make, as the decoder is.
class Encoder {
 public:
  explicit Encoder(const d3d::FormatInfo& info);

  // True for unorm, luminance, bump and float formats with whole-byte pixels, except CxV8U8 and XR_BIAS. Blocks, YUV, shared channels,
  // palettes and depth are not written by colour. Nothing else may be called where this is false.
  bool can_encode() const { return kind_ != Kind::kNone; }

  // Converts and stores: unsigned rn(sat(v) * (2^n - 1)), signed rn(v * (2^(n-1) - 1)), halves to nearest even, NaN canonical (0 in
  // integers). Luminance takes R. Channels outside `write_mask` keep their bits; unused bits become 0.
  void Encode(const Texel& texel, uint8_t* pixel, uint32_t write_mask = kWriteAll) const;

  // Integer formats only: stores the integers, cut to their bits.
  bool has_stored() const { return kind_ == Kind::kInteger; }
  void EncodeStored(const StoredTexel& stored, uint8_t* pixel,
                    uint32_t write_mask = kWriteAll) const;
  // Integer formats only: the integers that Encode would store.
  StoredTexel ToStored(const Texel& texel) const;

 private:
  enum class Kind : uint8_t { kNone, kInteger, kFloat };
  static Kind KindOf(const d3d::FormatInfo& info);

  const d3d::FormatInfo* info_;
  Kind kind_;
  std::array<IntegerSlot, 4> slots_ = {};
};

}  // namespace dp2trace::image
