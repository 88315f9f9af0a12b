// Elements of 64 vertices into blocks. Source: lib/raster/rendering-geometry.md 2.1; raster::FetchVertex has the same results.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "device/draw.h"
#include "fast/machine/block.h"

namespace dp2trace::fast {

// Up to kLanes vertices by number (base vertex added); what lies after them in the blocks is not changed. `to`: a block for each
// component.
void FetchElement(const device::Draw& draw, uint32_t element, std::span<const int64_t> numbers,
                  uint32_t instance, const std::array<Block*, 4>& to);

}  // namespace dp2trace::fast
