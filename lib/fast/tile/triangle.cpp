#include "fast/tile/triangle.h"

#include <utility>

namespace dp2trace::fast {

Edges EdgesOf(std::array<raster::FixedPoint, 3> points, bool is_front) {
  Edges edges = {};
  if (!is_front) std::swap(points[1], points[2]);
  for (size_t i = 0; i < 3; ++i) {
    const raster::FixedPoint& a = points[i];
    const raster::FixedPoint& b = points[(i + 1) % 3];
    const int64_t dx = b.x - a.x;
    const int64_t dy = b.y - a.y;
    const bool is_top_left = (dy == 0 && dx > 0) || dy < 0;
    edges.corner[i] = (dy * a.x - dx * a.y - (is_top_left ? 0 : 1)) >> 8;
    edges.dx[i] = static_cast<int32_t>(dx);
    edges.dy[i] = static_cast<int32_t>(dy);
  }
  return edges;
}

}  // namespace dp2trace::fast
