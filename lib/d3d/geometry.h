// What every layer says of surfaces and parts of them: rectangles, boxes, ranges, colour keys, pixel formats as given, kinds.
#pragma once

#include <cstdint>

namespace dp2trace::d3d {

// Left and top inclusive, right and bottom exclusive, in pixels of the level.
struct Rect {
  int32_t left = 0, top = 0, right = 0, bottom = 0;
  bool operator==(const Rect&) const = default;
};

// D3DBOX: as Rect, with front inclusive and back exclusive, in slices.
struct Box {
  uint32_t left = 0, top = 0, right = 0, bottom = 0, front = 0, back = 0;
  bool operator==(const Box&) const = default;
};

// Bytes [offset, offset + size) of a buffer.
struct Range {
  uint32_t offset = 0, size = 0;
  bool operator==(const Range&) const = default;
};

// An inclusive colour key interval, in the pixel values of the surface's format.
struct ColorKey {
  uint32_t low = 0, high = 0;
  bool operator==(const ColorKey&) const = default;
};

// DDPIXELFORMAT as given (32 bytes on the wire). Source: lib/opcode/dp2.md 13.5.
struct PixelFormat {
  uint32_t size = 32, flags = 0, four_cc = 0, bit_count = 0;
  // Also stencil bit depth, luminance mask, bump du mask, D3DFORMAT operations.
  uint32_t red_mask = 0;
  uint32_t green_mask = 0;  // also Z mask, bump dv mask
  uint32_t blue_mask = 0;   // also stencil mask, bump luminance mask
  uint32_t alpha_mask = 0;
  bool operator==(const PixelFormat&) const = default;
};

// What a surface is for. A buffer is a surface one row high.
enum class SurfaceKind : uint32_t {
  kTexture,
  kTarget,
  kDepth,
  kPlain,
  kVertexBuffer,
  kIndexBuffer,
  kCommandBuffer
};

}  // namespace dp2trace::d3d
