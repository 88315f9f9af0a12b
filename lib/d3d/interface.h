// Numbers of the driver interface that stand in no table of names: bits of calls, codes they return, limits.
// Source: lib/opcode/dp2.md 1.2, 2.4, 5 and 14; DDK, d3dhal.h, ddraw.h.
#pragma once

#include <cstdint>

namespace dp2trace::d3d {

inline constexpr uint32_t kFirstDriverLevel = 6, kLastDriverLevel = 9;
// From here on drawing operations read the bound streams.
inline constexpr uint32_t kFirstStreamLevel = 8;
// Runtimes above are taken for this one.
inline constexpr uint32_t kMaxRuntimeVersion = 5;

inline constexpr uint32_t kUserMemVertices = 0x1;         // D3DHALDP2_USERMEMVERTICES
inline constexpr uint32_t kWasStillDrawing = 0x8876021C;  // DDERR_WASSTILLDRAWING
inline constexpr uint32_t kLockReadOnly = 0x10;           // DDLOCK_READONLY, D3DLOCK_READONLY
inline constexpr uint32_t kClearDepthStencil = 0x6;       // D3DCLEAR_ZBUFFER, D3DCLEAR_STENCIL
inline constexpr uint32_t kAllCubeFaces = 0x3F;           // a bit for each face
inline constexpr uint32_t kPaletteSize = 256;             // entries
inline constexpr uint32_t kMaxFanEdges = 32;              // bits of dwEdgeFlags
inline constexpr uint32_t kMaxMipLevels = 32;             // a longer chain is refused
inline constexpr uint32_t kMaxTokenPrimitives = 0xFFFF;   // wPrimitiveCount

}  // namespace dp2trace::d3d
