// Generated texture coordinates, and what is in front of their transform. Source: lib/raster/rendering-geometry.md 2.8 and 2.9.
#pragma once

#include <cstdint>

#include "d3d/enums.h"
#include "vertex/math.h"

namespace dp2trace::vertex {

// The vector of a generation mode; (0, 0, 0, 1) for PASSTHRU. Position and normal in eye space.
Float4 GenerateCoordinates(d3d::TexcoordGeneration mode, const Float3& position,
                           const Float3& normal, bool is_local_viewer);

// The input of a transform from coordinates that have `count` components: 1 after the last one, then 0.
Float4 PadCoordinates(const Float4& given, uint32_t count);

// The count that TEXTURETRANSFORMFLAGS ask a matrix for: 2 to 4, or 0 for none. Anything but PROJECTED above it switches them off.
constexpr uint32_t TransformCount(uint32_t flags) {
  const uint32_t count = flags & ~d3d::kTextureTransformProjected;
  return count >= 2 && count <= 4 ? count : 0;
}

}  // namespace dp2trace::vertex
