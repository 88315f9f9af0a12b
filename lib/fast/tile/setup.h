// Triangles of a draw into its queue: culling, planes, bins. Source: rendering specification, 1.2, 1.3, 1.6 and 1.9.
#pragma once

#include "fast/tile/draw_queue.h"
#include "raster/primitive/fixed_point.h"
#include "raster/primitive/planes.h"
#include "raster/primitive/sink.h"
#include "raster/work_budget.h"

namespace dp2trace::fast {

class TriangleSetup final : public raster::PrimitiveSink {
 public:
  // Triangles of the last draw of the queue. Their work is spent before they are drawn, as if every quad that they may touch were.
  TriangleSetup(DrawQueue& queue, QueuedDraw& draw, raster::WorkBudget& work)
      : queue_(&queue), draw_(&draw), work_(&work) {}

  // Only triangles are queued.
  void Point(const raster::ScreenVertex&) override {}
  void Line(const raster::ScreenVertex&, const raster::ScreenVertex&, bool, bool) override {}
  void Polygon(const raster::ScreenVertex* vertices, uint32_t count, uint32_t edges) override;

  // Triangles that may be seen.
  uint64_t count() const { return count_; }

 private:
  bool IsCulled(int64_t area2) const;
  void Add(const raster::TriangleVertices& vertices,
           const std::array<raster::FixedPoint, 3>& points, int64_t area2);
  bool SetBounds(const std::array<raster::FixedPoint, 3>& points, Triangle& triangle);
  void SetDepth(const raster::TriangleVertices& vertices, const raster::TriangleGeometry& geometry,
                Triangle& triangle) const;
  void SetComponents(const raster::TriangleVertices& vertices,
                     const raster::TriangleGeometry& geometry, Triangle& triangle) const;

  DrawQueue* queue_;
  QueuedDraw* draw_;
  raster::WorkBudget* work_;
  uint64_t count_ = 0;
};

}  // namespace dp2trace::fast
