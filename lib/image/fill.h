// Fill colours and fill depths: what Clear and colour fill store, in every format.
// Source: lib/raster/rendering-output.md 7.3; for formats that it does not name, lib/opcode/dp2.md 14.2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "image/depth.h"
#include "image/surface.h"

namespace dp2trace::image {

// One block (one pixel of plain formats) of a solid colour: the first `size` bytes.
struct FillBlock {
  std::array<uint8_t, 16> bytes = {};
  uint32_t size = 0;
  bool operator==(const FillBlock&) const = default;
};

// The A8R8G8B8 colour as a block:
//   named colour channels  n <= 8 bits: c >> (8 - n); wider: c * (2^n - 1) / 255, half up; floats fl(c / 255); unused bits 0
//   palette, luminance, bump, depth   the low bits of the colour, as they are
//   YUV, packed RGB        R, G, B stand for Y, V, U in the pair (R8G8_B8G8: for themselves)
//   DXT, ATI               a block of the one colour, 565 by truncation (Unspecified: chosen)
// Planar formats have no block: size 1 holds the luma byte; Fill() writes the chroma planes.
FillBlock FillBlockOf(const d3d::FormatInfo& info, uint32_t argb);

// Fills an area. Fails as Surface::Update does. Every sample of a multisampled surface is filled.
Status Fill(Surface& surface, uint32_t face, uint32_t level, const Area& area, uint32_t argb);

// Fills the named parts of a depth surface: the depth clamped and quantised, the stencil cut to its bits.
struct DepthFill {
  bool writes_depth = false;
  bool writes_stencil = false;
  float depth = 0;
  uint32_t stencil = 0;
};
Status FillDepth(Surface& surface, uint32_t face, uint32_t level, const Area& area,
                 const DepthFill& fill);

// What the two store in each pixel of an area, for those who store it themselves.
struct PixelFill {
  FillBlock pixel;
  uint64_t keep = 0;  // bits that stay as they are: of a little-endian word of at most 8 bytes
  bool operator==(const PixelFill&) const = default;
};
// Nothing where blocks are no single pixels, and where there are no pixels.
std::optional<PixelFill> PixelFillOf(const d3d::FormatInfo& info, uint32_t argb);
// Nothing where the format has no depth.
std::optional<PixelFill> PixelFillOf(const d3d::FormatInfo& info, const DepthFill& fill);

}  // namespace dp2trace::image
