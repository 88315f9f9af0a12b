// Generated texture coordinates, and what is in front of their transform. Source: rendering specification, 2.8 and 2.9.
#pragma once

#include <cstdint>

#include "d3d/enums.h"
#include "vertex/math.h"

namespace dp2trace::vertex {

// The vector of a generation mode; (0, 0, 0, 1) for PASSTHRU. Position and normal in eye space.
Float4 GenerateCoordinates(d3d::TexcoordGeneration mode, const Float3& position,
                           const Float3& normal, bool is_local_viewer);

// The input of a transform from coordinates that have `count` components: 1 behind the last one, then 0.
Float4 PadCoordinates(const Float4& given, uint32_t count);

// Whether TEXTURETRANSFORMFLAGS with this count (its low byte) ask for a matrix: 2 to 4.
constexpr bool IsTransformCount(uint32_t count) {
  return count >= 2 && count <= 4;
}

}  // namespace dp2trace::vertex
