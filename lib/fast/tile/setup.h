// Triangles of a draw into its queue: culling, planes, bins. Source: rendering specification, 1.2, 1.3, 1.6 and 1.9.
#pragma once

#include <array>
#include <cstdint>

#include "fast/tile/draw_queue.h"
#include "fast/tile/raster_kernels.h"
#include "raster/primitive/fixed_point.h"
#include "raster/stage_clock.h"
#include "raster/vertex/sink.h"
#include "raster/work_budget.h"

namespace dp2trace::fast {

// A corner of a triangle: snapped, with the components of the draw (0 is rhw), which outlive the call.
struct Corner {
  raster::FixedPoint point;
  float z = 0;
  const float* components = nullptr;
};

class TriangleSetup final : public raster::PrimitiveSink {
 public:
  // Triangles of the last draw of the queue. Their work is spent before they are drawn, as if every quad that they may touch were.
  TriangleSetup(const Isa& isa, DrawQueue& queue, const QueuedDraw& draw, raster::WorkBudget& work,
                raster::StageClock& clock);

  // A square whose numbers are the same everywhere. Point sprites are left to the reference.
  void Point(const raster::ScreenVertex& vertex) override;
  // Lines are left to the reference.
  void Line(const raster::ScreenVertex&, const raster::ScreenVertex&, bool, bool) override {}
  void Polygon(const raster::ScreenVertex* vertices, uint32_t count, uint32_t edges) override;
  // Flat components are those of the first corner.
  void Triangle(const Corner& a, const Corner& b, const Corner& c, bool is_flat);

 private:
  // Pays for all quads that the bounds of a triangle may touch; false where the draw has no more to spend.
  bool Pay(const fast::Triangle& triangle);
  bool IsCulled(int64_t area2) const;
  bool SetBounds(const std::array<raster::FixedPoint, 3>& points, fast::Triangle& triangle) const;
  void SetDepth(const PlaneSetup& setup, const Corner& a, const Corner& b, const Corner& c,
                fast::Triangle& triangle) const;

  const RasterKernels* kernels_;
  DrawQueue* queue_;
  const QueuedDraw* draw_;
  raster::WorkBudget* work_;
  raster::StageClock* clock_;
  uint64_t perspective_ = 0;  // components
  uint64_t flat_ = 0;
  uint64_t steps_of_block_;
};

}  // namespace dp2trace::fast
