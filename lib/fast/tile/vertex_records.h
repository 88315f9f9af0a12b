// Vertices of a draw behind vertex processing, as setup wants them: where they are on screen, what they carry, and which planes they are
// outside of. Source: rendering specification, 1.1, 1.2 and 1.7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fast/machine/kernels.h"
#include "fast/tile/draw_queue.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::fast {

// Followed in memory by the components of the draw (QueuedDraw::padded, of which 0 is rhw), then by the distances to the user planes
// where the draw has any.
struct VertexRecord {
  float position[4];  // clip space, or as transformed vertices give it
  float x, y, z;      // target pixels and depth, where not `is_outside`
  int32_t fixed_x, fixed_y;
  // Bit p: outside of clip plane p, in the order of 1.7. Nothing for transformed vertices.
  uint32_t outside;
  uint32_t needs_clip;  // outside of a plane or of the guard band, or not a number
  uint32_t unused;

  float* components() { return reinterpret_cast<float*>(this + 1); }
  const float* components() const { return reinterpret_cast<const float*>(this + 1); }
};

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
  // For the vertices of one draw and instance. `planes`: bits of the enabled user clip planes.
  void Start(const QueuedDraw& draw, uint32_t planes);

  void Append(const raster::Vertex& vertex);
  // The first `count` lanes.
  void AppendBlock(const Frame& frame, const VertexOperands& operands, size_t count);

  const VertexRecord& at(uint32_t number) const {
    return *reinterpret_cast<const VertexRecord*>(&floats_[size_t{number} * stride_]);
  }
  // The whole vertex again, for clipping. Components that the draw does not interpolate are 0.
  raster::Vertex VertexOf(const VertexRecord& record) const;
  raster::ScreenVertex ScreenVertexOf(const raster::Vertex& vertex) const;
  size_t size() const { return count_; }

 private:
  VertexRecord& Add();
  // Where a vertex that nothing clips is on screen.
  static void Snap(VertexRecord& record);
  // What follows from the position.
  void Place(VertexRecord& record) const;
  void SetFogDepth(VertexRecord& record) const;
  float* PlanesOf(VertexRecord& record) const { return record.components() + draw_->padded; }

  const QueuedDraw* draw_ = nullptr;
  uint32_t planes_ = 0;
  size_t stride_ = 0;  // floats
  size_t count_ = 0;
  std::vector<float> floats_;
};

}  // namespace dp2trace::fast
