// Vertex processing as a program of the block machine: 64 vertices at a time, from the elements of the declaration to the screen.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fast/shader/emitter.h"
#include "raster/vertex/vertex.h"
#include "vertex/viewport.h"

namespace dp2trace::fast {

// The components of an element of the declaration, in four registers that are filled before each run.
struct VertexElementInput {
  uint32_t element = 0;
  std::array<uint16_t, 4> to = {};
};

struct VertexCode {
  Program program;
  std::vector<VertexElementInput> inputs;
  // Constants that differ from state to state: draws that differ in nothing else share the program.
  std::vector<uint32_t> parameters;

  // Results. Clip space, or screen space where vertices are transformed.
  Vector position;
  std::array<Vector, raster::kVaryingCount> varyings;  // of VertexOutputs::varying_mask
  Operand fog;
  uint32_t plane_mask = 0;
  std::array<Operand, raster::kUserPlaneCount> plane_distances;
  Vector screen;       // x, y, z, rhw
  Operand inside;      // mask of the vertices that nothing clips
  uint32_t steps = 1;  // upper bound of what a vertex costs (WorkBudget)
};

// With the parameters of a state.
struct BoundVertexCode {
  std::shared_ptr<const VertexCode> code;                // null: there is none
  std::shared_ptr<const std::vector<float>> parameters;  // null: it has none
};

// Emits the way from `position` and `plane_distances` to the screen. Source: lib/raster/rendering-geometry.md 1.1, 1.2 and 1.7.
void AddScreen(Emitter& emitter, bool is_transformed, const vertex::ViewportMapping& viewport,
               VertexCode& code);

}  // namespace dp2trace::fast
