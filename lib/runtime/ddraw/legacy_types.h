// What the interfaces of Direct3D 2 to 6 carry, as plain data, and the numbers of d3dtypes.h that the model tests.
// Source: Microsoft's DirectX 6 API reference (IDirect3DDevice to IDirect3DDevice3, IDirect3DViewport3, D3DLIGHT, D3DMATERIAL, D3DVIEWPORT2, D3DEXECUTEDATA).
#pragma once

#include <array>
#include <cstdint>

#include "d3d/fvf.h"
#include "d3d/geometry.h"
#include "d3d/light.h"

namespace dp2trace::runtime::ddraw {

// The interface through which a device was made: IDirect3DDevice (Direct3D 2 and 3), IDirect3DDevice2 (5), IDirect3DDevice3 (6).
enum class DeviceVersion : uint8_t { k1 = 1, k2 = 2, k3 = 3 };

// What draws for a device: HAL, or one of RGB, MMX, Ramp and reference.
enum class DeviceClass : uint8_t { kHardware, kSoftware };

// D3DVERTEXTYPE. Every vertex has 32 bytes.
enum class VertexType : uint32_t { kVertex = 1, kLVertex = 2, kTLVertex = 3 };
inline constexpr uint32_t kLegacyVertexSize = 32;

// The formats of D3DVERTEX, D3DLVERTEX and D3DTLVERTEX.
inline constexpr uint32_t kFvfVertex = d3d::fvf::kXyz | d3d::fvf::kNormal | 0x100;
inline constexpr uint32_t kFvfLVertex =
    d3d::fvf::kXyz | d3d::fvf::kPointSize | d3d::fvf::kDiffuse | d3d::fvf::kSpecular | 0x100;
inline constexpr uint32_t kFvfTLVertex =
    d3d::fvf::kXyzRhw | d3d::fvf::kDiffuse | d3d::fvf::kSpecular | 0x100;

// 0 for a number that is not a vertex type.
constexpr uint32_t FvfOf(uint32_t vertex_type) {
  switch (static_cast<VertexType>(vertex_type)) {
    case VertexType::kVertex:
      return kFvfVertex;
    case VertexType::kLVertex:
      return kFvfLVertex;
    case VertexType::kTLVertex:
      return kFvfTLVertex;
  }
  return 0;
}

// Flags of the draws: D3DDP_*.
namespace d3ddp {
inline constexpr uint32_t kDoNotClip = 0x4;
inline constexpr uint32_t kDoNotLight = 0x10;
}  // namespace d3ddp

// D3DLIGHTSTATETYPE.
enum class LightState : uint32_t {
  kMaterial = 1,
  kAmbient = 2,
  kColorModel = 3,
  kFogMode = 4,
  kFogStart = 5,
  kFogEnd = 6,
  kFogDensity = 7,
  kColorVertex = 8,
};

// D3DTEXTUREBLEND.
enum class TextureBlend : uint32_t {
  kDecal = 1,
  kModulate = 2,
  kDecalAlpha = 3,
  kModulateAlpha = 4,
  kDecalMask = 5,
  kModulateMask = 6,
  kCopy = 7,
  kAdd = 8,
};

// D3DVIEWPORT and D3DVIEWPORT2 in one form: the area of the target, and how clip coordinates lie in it.
struct ViewportArea {
  uint32_t x = 0, y = 0, width = 0, height = 0;
  // x' = x * scale + w * offset takes the clip volume to -w to w, and z to 0 to w.
  std::array<float, 3> scale = {1, 1, 1};
  std::array<float, 3> offset = {};
};

// D3DVIEWPORT: screen x = center + x / w * scale_x.
ViewportArea AreaOfScales(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                          const std::array<float, 2>& scale, const std::array<float, 2>& depths);
// D3DVIEWPORT2: `clip` is the left, the top, the width and the height of the clip volume.
ViewportArea AreaOfClipVolume(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                              const std::array<float, 4>& clip, const std::array<float, 2>& depths);

// D3DEXECUTEDATA.
struct ExecuteData {
  uint32_t vertex_offset = 0, vertex_count = 0;
  uint32_t instruction_offset = 0, instruction_length = 0;
  uint32_t status = 0;  // D3DSTATUS.dwStatus
};

// Its pixels.
d3d::Rect RectOf(const ViewportArea& area);

}  // namespace dp2trace::runtime::ddraw
