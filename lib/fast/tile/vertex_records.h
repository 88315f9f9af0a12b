// Vertices of a draw after vertex processing, as setup wants them: where they are on screen, what they carry, and which planes they are
// outside of. Source: lib/raster/rendering-geometry.md 1.1, 1.2 and 1.7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fast/machine/kernels.h"
#include "fast/tile/corners.h"
#include "fast/tile/draw_queue.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::fast {

// Where a block of vertices is after its program ran: operands of the frame.
struct VertexOperands {
  std::array<Operand, 4> position;
  std::vector<Operand> components;  // those of QueuedDraw::components
  std::array<Operand, raster::kUserPlaneCount> planes;
  std::array<Operand, 4> screen;  // x, y, z, rhw
  Operand inside;                 // mask register of the vertices that nothing clips
};

class VertexRecords {
 public:
  // For the vertices of one draw and instance, which go to the arena. `planes`: bits of the enabled user clip planes.
  void Start(const QueuedDraw& draw, uint32_t planes, CornerArena& arena);

  void Append(const raster::Vertex& vertex);
  // The first `count` lanes.
  void AppendBlock(const Frame& frame, const VertexOperands& operands, size_t count);

  const VertexRecord& at(uint32_t number) const { return arena_->vertex(places_[number]); }
  // Its unit of the arena.
  uint32_t place(uint32_t number) const { return places_[number]; }
  // The whole vertex again, for clipping. Components that the draw does not interpolate are 0.
  raster::Vertex VertexOf(const VertexRecord& record) const;
  raster::ScreenVertex ScreenVertexOf(const raster::Vertex& vertex) const;
  size_t size() const { return places_.size(); }

 private:
  // Uninitialised, one after the other; gives the first.
  float* Add(size_t count);
  // Where a vertex that nothing clips is on screen.
  static void Snap(VertexRecord& record);
  // What follows from the position.
  void Place(VertexRecord& record) const;
  void SetFogDepth(VertexRecord& record) const;
  float* PlanesOf(VertexRecord& record) const { return record.components() + draw_->padded; }

  const QueuedDraw* draw_ = nullptr;
  uint32_t planes_ = 0;
  size_t stride_ = 0;  // floats
  CornerArena* arena_ = nullptr;
  std::vector<uint32_t> places_;
};

}  // namespace dp2trace::fast
