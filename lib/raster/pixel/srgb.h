// The sRGB curve of SRGBWRITEENABLE. Source: lib/raster/rendering-output.md 5.7. The way back is in texture/srgb_table.h.
#pragma once

#include "base/transcendental.h"

namespace dp2trace::raster {

// Of a channel in [0, 1]. Unspecified: precision of the steps; chosen: binary64 with one rounding, as texture reads have it.
inline float LinearToSrgb(float c) {
  const auto x = double{c};
  if (x <= 0.0031308) return static_cast<float>(12.92 * x);
  return static_cast<float>(1.055 * double{PowD(x, 1.0 / 2.4)} - 0.055);
}

}  // namespace dp2trace::raster
