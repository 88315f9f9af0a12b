// The four lanes of a quad. Source: lib/raster/rendering.md 0.5.
#pragma once

#include <array>
#include <cstdint>

#include "raster/math.h"

namespace dp2trace::raster {

inline constexpr uint32_t kLaneCount = 4;
using Float4Quad = std::array<Float4, kLaneCount>;

}  // namespace dp2trace::raster
