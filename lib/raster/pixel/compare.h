// D3DCMPFUNC on integers, and the ordered 4x4 matrix of dithering.
// Source: lib/raster/rendering.md 0.9; lib/raster/rendering-output.md 5.1, 5.4, 5.5 and 5.8.
#pragma once

#include <cstdint>

#include "d3d/enums.h"

namespace dp2trace::raster {

// left FUNC right. Unspecified: a number without meaning; chosen: ALWAYS.
constexpr bool Compare(uint32_t function, uint32_t left, uint32_t right) {
  using d3d::CompareFunc;
  switch (static_cast<CompareFunc>(function)) {
    case CompareFunc::Never:
      return false;
    case CompareFunc::Less:
      return left < right;
    case CompareFunc::Equal:
      return left == right;
    case CompareFunc::LessEqual:
      return left <= right;
    case CompareFunc::Greater:
      return left > right;
    case CompareFunc::NotEqual:
      return left != right;
    case CompareFunc::GreaterEqual:
      return left >= right;
    case CompareFunc::Always:
      break;
  }
  return true;
}

// 0 to 15, for the pixel of the target.
constexpr uint32_t BayerThreshold(uint32_t x, uint32_t y) {
  constexpr uint8_t kMatrix[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  return kMatrix[y & 3U][x & 3U];
}

}  // namespace dp2trace::raster
