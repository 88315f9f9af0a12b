// Indexed vertices into triangles and lines: each vertex of a draw is processed once. Source: lib/raster/rendering-geometry.md 1.6 and 1.7.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "device/draw.h"
#include "fast/tile/setup.h"
#include "fast/tile/vertex_records.h"

namespace dp2trace::fast {

class Assembly {
 public:
  // Appends the records of these vertices (base added) of an instance, in this order. False: the work of the draw is spent, and nothing
  // more of it is drawn.
  using Process = std::function<bool(std::span<const int64_t> numbers, uint32_t instance,
                                     VertexRecords& records)>;

  // Puts all triangles or lines of the draw into the queue. False where its indices are too far apart for a table; nothing has been
  // done then.
  bool Run(const device::Draw& draw, const QueuedDraw& queued, uint32_t planes,
           const Process& process, TriangleSetup& setup);

 private:
  // Fills numbers_ and slots_.
  bool FindVertices(const device::Draw& draw);
  void AddTriangles(const device::Draw& draw, const QueuedDraw& queued, TriangleSetup& setup);
  void AddLines(const device::Draw& draw, const QueuedDraw& queued, TriangleSetup& setup);
  // False where nothing is left of the line.
  bool AddClippedLine(const VertexRecord& from, const VertexRecord& to, bool pattern_start,
                      bool draws_last, const QueuedDraw& queued, TriangleSetup& setup);
  void AddClipped(const std::array<const VertexRecord*, 3>& corners, const QueuedDraw& queued,
                  TriangleSetup& setup);

  std::vector<uint32_t> indices_;  // by vertex of the token
  std::vector<uint32_t> slots_;    // number of the record of each
  std::vector<uint32_t> table_;    // by index - smallest: slot + 1; 0: not yet seen
  std::vector<int64_t> numbers_;   // of the records
  VertexRecords records_;
};

}  // namespace dp2trace::fast
