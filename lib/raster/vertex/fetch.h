// Vertex declaration types: from the bytes of an element to four floats.
// Source: lib/raster/rendering-geometry.md 2.1.
#pragma once

#include <cstdint>

#include "raster/math.h"

namespace dp2trace::raster {

inline constexpr uint32_t kMaxElementSize = 16;

// Components that an element of this D3DDECLTYPE has: 1 to 4; 0 for UNUSED and for what is not a type.
uint32_t ComponentCount(uint32_t type);
// `bytes` has kMaxElementSize bytes. Missing components are (0, 0, 0, 1), also for types that do not exist.
Float4 DecodeElement(uint32_t type, const uint8_t* bytes);

}  // namespace dp2trace::raster
