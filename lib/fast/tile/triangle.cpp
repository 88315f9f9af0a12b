#include "fast/tile/triangle.h"

#include <algorithm>
#include <utility>

#include "fast/machine/block.h"
#include "fast/tile/draw_queue.h"

namespace dp2trace::fast {
namespace {

// Pixels [low, high) of a row of 8 from `start` on, as bits.
uint32_t RowBits(int32_t low, int32_t high, int32_t start) {
  const int32_t from = std::clamp(low - start, 0, 8);
  const int32_t to = std::clamp(high - start, 0, 8);
  return ((1U << to) - 1) & ~((1U << from) - 1);
}

}  // namespace

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

uint64_t RectangleMask(const Triangle& t, int32_t x, int32_t y) {
  if (t.left <= x && t.right >= x + kBlockSize && t.top <= y && t.bottom >= y + kBlockSize)
    return kAllLanes;
  constexpr uint64_t kEveryRow = 0x0101010101010101;
  // Pixels of the rows before this one.
  const auto before = [y](int32_t row) {
    const int32_t count = std::clamp(row - y, 0, kBlockSize);
    return count == kBlockSize ? kAllLanes : (uint64_t{1} << (8 * count)) - 1;
  };
  const uint64_t columns = RowBits(t.left, t.right, x) * kEveryRow;
  return columns & before(t.bottom) & ~before(t.top);
}

}  // namespace dp2trace::fast
