// DirectDraw surfaces and palettes as objects.
// Source: Microsoft's DirectDraw 7 API reference; lib/opcode/dp2.md 12.2 and 13.3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/allowance.h"
#include "d3d/formats.h"
#include "runtime/ddraw/types.h"

namespace dp2trace::runtime::ddraw {

// DDPCAPS_ALPHA: the fourth byte of an entry is alpha.
inline constexpr uint32_t kPaletteAlpha = 0x400;

struct Palette {
  MemoryShare share;
  uint32_t number = 0;                     // in SETPALETTE and UPDATEPALETTE
  uint32_t flags = 0;                      // DDPCAPS_*
  std::array<uint32_t, 256> entries = {};  // 0xAARRGGBB
  uint32_t count = 256;                    // entries that the palette has
  uint32_t known = 0;                      // entries from 0 on up to the last one that was set
};

// What blits to a surface are cut at.
struct Clipper {
  // SetHWnd: the visible part of a window, which nobody recorded, goes before the list.
  bool has_window = false;
  std::optional<d3d::Rect> list;  // the bounds of the clip list

  std::optional<d3d::Rect> bounds() const { return has_window ? std::nullopt : list; }
};

struct Complex;
struct Surface;

struct Attachment {
  Surface* surface = nullptr;
  ObjectId interface = 0;  // through which it was attached
};

// One object: a level of a mip chain, a cube face, a buffer of a flip chain, or a surface of its own.
struct Surface {
  Complex* complex = nullptr;
  // Level 0 of the first face of the memory that this surface belongs to; the surface itself where it has no parts.
  Surface* root = nullptr;
  uint32_t space = 0;
  uint32_t handle = 0;  // names the memory: a flip exchanges the handles of a chain
  uint32_t face = 0;
  uint32_t level = 0;
  uint32_t level_count = 1;  // of the root
  uint32_t faces = 0;        // of the root: bit f = face f; 0 = no cube map
  uint32_t width = 0;
  uint32_t height = 0;
  // Size or format come from a display mode that the capture may correct.
  bool has_guessed_layout = false;
  d3d::PixelFormat format;
  std::array<uint32_t, 4> caps = {};
  uint32_t empty_face_color = 0;
  std::optional<d3d::ColorKey> source_key, dest_key;
  std::optional<d3d::ColorKey> source_overlay_key, dest_overlay_key;
  std::vector<Surface*> attached;  // created together: next level, faces, next buffer of the chain
  Surface* depth = nullptr;        // attached explicitly
  ObjectId depth_interface = 0;    // through which it was attached
  std::vector<Attachment> added;   // others that AddAttachedSurface attached, in its order
  std::shared_ptr<Palette> palette;
  std::shared_ptr<const Clipper> clipper;
  uint32_t lod = 0;         // SetLOD
  uint32_t interfaces = 0;  // pointers of this part that the program holds

  bool Has(uint32_t caps_bits) const { return (caps[0] & caps_bits) != 0; }
};

// The row of the format table, or null.
const d3d::FormatInfo* FormatOf(const d3d::PixelFormat& format);

// What one CreateSurface makes. It lives while the program holds its root, or the driver side any part of it.
struct Complex {
  std::vector<std::shared_ptr<Surface>> surfaces;  // the root first
  std::vector<Surface*>
      chain;                // front buffer and back buffers in flip order; empty without a chain
  uint32_t interfaces = 0;  // interface pointers of all parts that the program holds
  uint32_t pins = 0;        // uses by devices, and as attached depth surface
};

}  // namespace dp2trace::runtime::ddraw
