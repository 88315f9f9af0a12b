// Storing a colour in one target: blending, sRGB, dithering, logic operation, plane mask, channel mask.
// Source: lib/raster/rendering-output.md 5.2 and 5.6 to 5.9.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "device/resource.h"
#include "device/state.h"
#include "image/decoder.h"
#include "image/encoder.h"
#include "raster/math.h"
#include "raster/pixel/blend.h"

namespace dp2trace::raster {

// Colours of a target, in three kinds. Source: lib/raster/rendering-output.md 5.2.
enum class ColorRange : uint8_t { kUnsigned, kSigned, kUnlimited };
ColorRange RangeOf(const d3d::FormatInfo& info);
// NaN gives 0 in the limited ranges.
Float4 ClampTo(ColorRange range, const Float4& color);

// True for the formats that SRGBWRITEENABLE acts on: R, G, B of 5, 6 or 8 unsigned bits.
bool CanWriteSrgb(const d3d::FormatInfo& info);

// S for source, D for destination, by R2 code; codes outside 1 to 16 give S.
uint8_t ApplyRop2(uint32_t code, uint8_t source, uint8_t destination);

struct ProbedWrite;

class TargetWriter {
 public:
  // `target` is bound to output `slot` and can be written (CanWrite). The surface outlives the writer.
  TargetWriter(const device::State& state, const BlendPlan& blend, const device::SurfaceRef& target,
               uint32_t slot);
  // False for surfaces that drawing leaves alone: none, NULL, and formats without plain colour channels.
  static bool CanWrite(const device::SurfaceRef& target);

  uint32_t slot() const { return slot_; }
  uint32_t sample_count() const { return sample_count_; }
  ColorRange range() const { return range_; }
  const image::Level& level() const { return level_; }
  const BlendPlan& blend() const { return blend_; }
  uint32_t write_mask() const { return write_mask_; }  // D3DCOLORWRITEENABLE
  bool is_srgb() const { return is_srgb_; }
  bool dithers() const { return dithers_; }
  // A logic operation or a plane mask.
  bool has_logic() const {
    return rop2_ != d3d::Value(d3d::Rop2::CopyPen) || plane_mask_ != 0xFFFFFFFF;
  }
  uint32_t rop2() const { return rop2_; }  // R2 code, 1 to 16
  uint32_t plane_mask() const { return plane_mask_; }
  // The pixel is inside the target; `second` is the colour of output 1 (SRCCOLOR2). A probe gets what is blended and stored.
  void Write(uint32_t x, uint32_t y, uint32_t sample, const Float4& color, const Float4& second,
             ProbedWrite* probe = nullptr) const;

 private:
  using PixelBytes = std::array<uint8_t, 16>;
  Float4 BlendWith(uint32_t x, uint32_t y, uint32_t sample, const Float4& color,
                   const Float4& second, ProbedWrite* probe) const;
  void StartProbe(uint32_t sample, const Float4& source, const uint8_t* pixel,
                  ProbedWrite& probe) const;
  void Store(uint32_t x, uint32_t y, const Float4& color, uint8_t* pixel,
             uint32_t write_mask) const;
  void StoreWithLogic(uint32_t x, uint32_t y, const Float4& color, uint8_t* pixel) const;

  image::Level level_;
  image::Encoder encoder_;
  image::Decoder decoder_;
  BlendPlan blend_;
  ColorRange range_;
  uint32_t slot_;
  uint32_t sample_count_;
  uint32_t write_mask_;
  bool is_srgb_;
  bool dithers_ = false;
  uint32_t rop2_ = d3d::Value(d3d::Rop2::CopyPen);
  uint32_t plane_mask_ = 0xFFFFFFFF;
  PixelBytes written_bits_ = {};  // of the channels that the write mask names
  PixelBytes kept_bits_ = {};     // of the others
};

}  // namespace dp2trace::raster
