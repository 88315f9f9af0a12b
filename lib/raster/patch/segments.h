// How many segments the edges of a patch have, and where the vertices of the resulting grid lie.
// Source: lib/raster/rendering-geometry.md 6.3.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/draw.h"
#include "device/state.h"
#include "raster/vertex/processor.h"

namespace dp2trace::raster {

// One edge: vertices 0 to segments.
struct EdgeSegments {
  double count = 1;       // an integer with the discrete edge style
  uint32_t segments = 1;  // rounded up

  // Of vertex i, [0, 1]; with a fractional count the last segment is shorter.
  double Parameter(uint32_t i) const {
    const double parameter = i / count;
    return parameter < 1 ? parameter : 1;
  }
  // The parameter of the own vertex nearest to vertex i of n segments.
  double Snapped(uint32_t i, uint32_t n) const {
    return Parameter(static_cast<uint32_t>((uint64_t{2} * i * segments + n) / (uint64_t{2} * n)));
  }
};

// `count` in [1, max_segments], 1 for NaN; limit_hit where it was larger.
EdgeSegments MakeEdge(float count, bool is_continuous, uint32_t max_segments, bool& limit_hit);

// ENABLEADAPTIVETESSELLATION: the segments that the corner of a patch asks for, within MINTESSELLATIONLEVEL and MAXTESSELLATIONLEVEL
// where it is in front of the viewer.
float AdaptiveLevel(const device::State& state, const device::VertexLayout& layout,
                    const VertexInput& corner);
// Of the edge between two corners.
float AdaptiveCount(const device::State& state, float level, float other_level);

struct RectPoint {
  double u = 0, v = 0;
};
struct TrianglePoint {
  double a = 0, b = 0, c = 0;  // barycentrics of apex, bottom left, bottom right
};
template <class Point>
struct PatchGrid {
  std::vector<Point> points;
  std::vector<uint32_t> indices;  // triangles
};

// Edges: row 0, last column, last row, first column.
PatchGrid<RectPoint> MakeRectGrid(const std::array<EdgeSegments, 4>& edges);
// Edges: apex to bottom right, bottom right to bottom left, bottom left to apex.
PatchGrid<TrianglePoint> MakeTriangleGrid(const std::array<EdgeSegments, 3>& edges);

}  // namespace dp2trace::raster
