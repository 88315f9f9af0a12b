// What DirectDraw calls carry, as plain data, and the numbers of ddraw.h that the model tests.
// Source: Microsoft's DirectDraw 7 API reference (DDSURFACEDESC2, DDSCAPS2, DDBLTFX, DDOVERLAYFX, flags of Blt, BltFast,
// SetColorKey and UpdateOverlay).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "d3d/geometry.h"

namespace dp2trace::runtime::ddraw {

// The value of an interface pointer: names an object while it lives. 0 is null.
using ObjectId = uint64_t;

// DDSURFACEDESC2.dwFlags: which members count.
namespace ddsd {
inline constexpr uint32_t kHeight = 0x2;
inline constexpr uint32_t kWidth = 0x4;
inline constexpr uint32_t kPitch = 0x8;
inline constexpr uint32_t kBackBufferCount = 0x20;
inline constexpr uint32_t kZBufferBitDepth = 0x40;
inline constexpr uint32_t kPixelFormat = 0x1000;
inline constexpr uint32_t kDestOverlayKey = 0x2000;
inline constexpr uint32_t kDestKey = 0x4000;
inline constexpr uint32_t kSourceOverlayKey = 0x8000;
inline constexpr uint32_t kSourceKey = 0x10000;
inline constexpr uint32_t kMipMapCount = 0x20000;
inline constexpr uint32_t kLinearSize = 0x80000;
}  // namespace ddsd

// DDSCAPS2.dwCaps.
namespace ddscaps {
inline constexpr uint32_t kBackBuffer = 0x4;
inline constexpr uint32_t kComplex = 0x8;
inline constexpr uint32_t kFlip = 0x10;
inline constexpr uint32_t kFrontBuffer = 0x20;
inline constexpr uint32_t kPrimarySurface = 0x200;
inline constexpr uint32_t kTexture = 0x1000;
inline constexpr uint32_t k3dDevice = 0x2000;
inline constexpr uint32_t kZBuffer = 0x20000;
inline constexpr uint32_t kMipMap = 0x400000;
}  // namespace ddscaps

// DDSCAPS2.dwCaps2.
namespace ddscaps2 {
inline constexpr uint32_t kCubeMap = 0x200;
inline constexpr uint32_t kCubeFaceShift = 10;  // bit 10 + f: face f
inline constexpr uint32_t kCubeFaces = 0xFC00;
inline constexpr uint32_t kMipMapSubLevel = 0x10000;
}  // namespace ddscaps2

// Flags of Blt.
namespace ddblt {
inline constexpr uint32_t kColorFill = 0x400;
inline constexpr uint32_t kEffects = 0x800;  // DDBLT_DDFX
inline constexpr uint32_t kKeyDest = 0x2000;
inline constexpr uint32_t kKeyDestOverride = 0x4000;
inline constexpr uint32_t kKeySrc = 0x8000;
inline constexpr uint32_t kKeySrcOverride = 0x10000;
inline constexpr uint32_t kRop = 0x20000;
inline constexpr uint32_t kWait = 0x1000000;
inline constexpr uint32_t kDepthFill = 0x2000000;
}  // namespace ddblt

// Flags of BltFast.
namespace ddbltfast {
inline constexpr uint32_t kSourceKey = 1;
inline constexpr uint32_t kDestKey = 2;
}  // namespace ddbltfast

// Flags of SetColorKey.
namespace ddckey {
inline constexpr uint32_t kColorSpace = 1;
inline constexpr uint32_t kDestBlt = 2;
inline constexpr uint32_t kDestOverlay = 4;
inline constexpr uint32_t kSourceBlt = 8;
inline constexpr uint32_t kSourceOverlay = 0x10;
}  // namespace ddckey

// Flags of UpdateOverlay.
namespace ddover {
inline constexpr uint32_t kAlpha = 0xFF;  // each of DDOVER_ALPHA*
inline constexpr uint32_t kHide = 0x200;
inline constexpr uint32_t kKeyDest = 0x400;
inline constexpr uint32_t kKeyDestOverride = 0x800;
inline constexpr uint32_t kKeySrc = 0x1000;
inline constexpr uint32_t kKeySrcOverride = 0x2000;
inline constexpr uint32_t kShow = 0x4000;
inline constexpr uint32_t kEffects = 0x80000;  // DDOVER_DDFX
}  // namespace ddover

// What UpdateOverlayZOrder asks for.
enum class OverlayOrder : uint32_t {
  kSendToFront,
  kSendToBack,
  kMoveForward,
  kMoveBackward,
  kInsertInFrontOf,
  kInsertInBackOf,
};

// Win32 raster operations that Blt takes.
inline constexpr uint32_t kRopBlackness = 0x42;
inline constexpr uint32_t kRopSourceCopy = 0xCC0020;
inline constexpr uint32_t kRopWhiteness = 0xFF0062;

// DDSURFACEDESC2, as far as it decides anything.
struct SurfaceDescription {
  uint32_t flags = 0;  // ddsd
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t pitch = 0;  // bytes; with kLinearSize the size of the level
  uint32_t back_buffer_count = 0;
  uint32_t mip_map_count = 0;  // also the z-buffer bit depth
  uint32_t empty_face_color = 0;
  d3d::ColorKey dest_key = {}, source_key = {};
  d3d::ColorKey dest_overlay_key = {}, source_overlay_key = {};
  d3d::PixelFormat format;
  std::array<uint32_t, 4> caps = {};  // DDSCAPS2
};

// DDBLTFX, as far as it decides anything.
struct BltEffects {
  uint32_t effects = 0;  // dwDDFX
  uint32_t rop = 0;
  uint32_t fill = 0;  // fill colour or depth
  d3d::ColorKey dest_key = {}, source_key = {};
};

// DDOVERLAYFX, as far as it decides anything.
struct OverlayEffects {
  uint32_t effects = 0;  // dwDDFX: mirrors, with the values of DDBLTFX
  d3d::ColorKey dest_key = {}, source_key = {};
};

// The structures of the device, as words in the order of their members, floats as bits.
using Matrix = std::array<uint32_t, 16>;
using Material = std::array<uint32_t, 17>;  // D3DMATERIAL7
using Light = std::array<uint32_t, 26>;     // D3DLIGHT7
using Plane = std::array<uint32_t, 4>;
// D3DVIEWPORT7: x, y, width, height, least and greatest z.
using Viewport = std::array<uint32_t, 6>;

}  // namespace dp2trace::runtime::ddraw
