// Triangles of a draw into its queue: culling, work, bins. Planes are made by who paints. Source: rendering specification, 1.2 and 1.6.
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

  // A square whose numbers are the same everywhere. Point sprites are left to the reference.
  void Point(const raster::ScreenVertex& vertex) override;
  // Lines are left to the reference.
  void Line(const raster::ScreenVertex&, const raster::ScreenVertex&, bool, bool) override {}
  void Polygon(const raster::ScreenVertex* vertices, uint32_t count, uint32_t edges) override;
  // What was added may draw these.
  const TouchedPixels& touched() const { return touched_; }
  // Corners: units of the queue's arena. Flat components are those of the first.
  void Triangle(const std::array<uint32_t, 3>& corners, bool is_flat);

 private:
  // A record of the arena with the components of a vertex.
  uint32_t AddCorner(const raster::ScreenVertex& vertex, const raster::FixedPoint& point);
  // Pays for all quads that the bounds of a triangle may touch; false where the draw has no more to spend.
  bool Pay(const PixelBounds& bounds);
  bool IsCulled(int64_t area2) const;

  void Add(const QueuedTriangle& triangle, const PixelBounds& bounds);

  DrawQueue* queue_;
  const QueuedDraw* draw_;
  WorkBudget* work_;
  PixelBounds clip_;
  TouchedPixels touched_;
  uint64_t steps_of_block_;
};

}  // namespace dp2trace::fast
