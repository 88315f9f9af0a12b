// Lines one pixel wide: the diamond-exit rule, patterns, antialiased lines. Source: lib/raster/rendering-geometry.md 1.4.
#pragma once

#include <cstdint>

#include "raster/pixel/output.h"
#include "raster/primitive/raster_state.h"

namespace dp2trace::raster {

struct LineStyle {
  bool draws_last = false;  // the pixel that holds the end point
  bool is_antialiased = false;
  bool is_front = true;               // of the triangle whose edge it is
  double bias = 0;                    // added to depth
  uint32_t* pattern_pixel = nullptr;  // number of the next pixel of the line pattern; null: solid
};

// On multisampled targets every sample of a pixel: "the driver must ... render all lines aliased" there.
// Source: https://learn.microsoft.com/en-us/windows-hardware/drivers/display/supporting-single-pixel-wide-antialiased-lines
void DrawLine(const RasterState& state, const ScreenVertex& a, const ScreenVertex& b,
              const LineStyle& style, PixelOutput& output);

}  // namespace dp2trace::raster
