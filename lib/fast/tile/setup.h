// Triangles, lines and points of a draw into its queue: culling, work, bins. Planes are made by who paints. Source: lib/raster/rendering-geometry.md 1.2 and 1.6.
#pragma once

#include <array>
#include <cstdint>

#include "base/work_budget.h"
#include "fast/tile/draw_queue.h"
#include "raster/primitive/fixed_point.h"
#include "raster/vertex/sink.h"

namespace dp2trace::fast {

class TriangleSetup final : public raster::PrimitiveSink {
 public:
  // Triangles of the last draw of the queue. Their work is spent before they are drawn, as if every quad that they may touch were.
  TriangleSetup(DrawQueue& queue, const QueuedDraw& draw, WorkBudget& work);

  // Where corners are.
  CornerArena& arena() { return queue_->corners(); }

  // A square whose numbers are the same everywhere, but for the coordinates of a sprite.
  void Point(const raster::ScreenVertex& vertex) override;
  void Line(const raster::ScreenVertex& a, const raster::ScreenVertex& b, bool pattern_start,
            bool draws_last) override;
  void Polygon(const raster::ScreenVertex* vertices, uint32_t count, uint32_t edges) override;
  // What was added may draw these.
  const TouchedPixels& touched() const { return touched_; }
  // Corners: units of the queue's arena. Flat components are those of the first.
  void Triangle(const std::array<uint32_t, 3>& corners, bool is_flat);
  // The same for a line, whose flat components are those of each.
  void Line(uint32_t a, uint32_t b, bool pattern_start, bool draws_last);

 private:
  // A record of the arena with the components of a vertex.
  uint32_t AddCorner(const raster::ScreenVertex& vertex, const raster::FixedPoint& point);
  // Pays for all quads that a primitive of so many pixels at most may touch within the bounds; false where the draw has no more to spend.
  bool Pay(const PixelBounds& bounds, uint64_t area);
  bool IsCulled(int64_t area2) const;
  void AddSquare(const raster::ScreenVertex& vertex, const SquareRecord& square, double bias,
                 uint32_t flags);
  void AddLine(const raster::ScreenVertex& a, const raster::ScreenVertex& b, LineRecord line,
               uint32_t flags);
  // `add_corners` gives the units of both, once something may be drawn.
  template <class AddCorners>
  void AddLine(const raster::FixedPoint& start, const raster::FixedPoint& end, LineRecord line,
               uint32_t flags, const AddCorners& add_corners);
  LineRecord StartLine(bool pattern_start, bool draws_last);
  // Edges or corners, where the fill mode says so.
  void Outline(const raster::ScreenVertex* vertices, const raster::FixedPoint* points,
               uint32_t count, uint32_t edges);

  void Add(const QueuedTriangle& triangle, const PixelBounds& bounds);

  DrawQueue* queue_;
  const QueuedDraw* draw_;
  WorkBudget* work_;
  PixelBounds clip_;
  int32_t reach_;  // of samples around the centres, 1/256 pixel
  TouchedPixels touched_;
  uint32_t pattern_pixel_ = 0;
};

}  // namespace dp2trace::fast
