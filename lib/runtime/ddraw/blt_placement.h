// Where the pixels of a blit go: cut at edges and clip lists, mirrored.
// Source: Microsoft's DirectDraw 7 API reference (IDirectDrawSurface7::Blt, IDirectDrawClipper, DDBLTFX); lib/raster/rendering-output.md 7.2 (which pixel of the
// source a pixel of the destination takes).
#pragma once

#include <vector>

#include "runtime/ddraw/surface.h"

namespace dp2trace::runtime::ddraw {

struct Mirroring {
  bool is_left_right = false;
  bool is_up_down = false;
  bool any() const { return is_left_right || is_up_down; }
};

// The whole image of `source` fills `dest`; `visible` is the part of it that is drawn, inside the destination surface.
struct BltPlacement {
  d3d::Rect dest, source, visible;
  Mirroring mirroring;
};

struct BltStrip {
  d3d::Rect dest, source;
};

bool HasExtent(const d3d::Rect& rect);
d3d::Rect WholeOf(const Surface& surface);
bool IsInside(const Surface& surface, const d3d::Rect& rect);
// Without extent where the rectangles share nothing.
d3d::Rect Overlap(const d3d::Rect& a, const d3d::Rect& b);

// Destination and source are not of one size.
bool IsStretched(const BltPlacement& placement);
// The part of the source that becomes the visible part, unmirrored: edges rounded down.
d3d::Rect ProportionalSource(const BltPlacement& placement);
// A blit of ProportionalSource() takes for each visible pixel the one that the whole blit takes.
bool HasExactSource(const BltPlacement& placement);
// The visible part as columns (mirrored left to right) or rows (up to down) of one pixel. Source and destination are of one size, and
// exactly one of the mirrorings is set.
std::vector<BltStrip> MirroredStrips(const BltPlacement& placement);

}  // namespace dp2trace::runtime::ddraw
