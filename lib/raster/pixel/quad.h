// Shading works on quads: 2x2 pixels whose top left one has even coordinates. Lane 0 is top left, 1 top right, 2 bottom left, 3 bottom
// right. Lanes that the primitive does not cover are helpers: evaluated for derivatives, never written.
// Source: lib/raster/rendering.md 0.5 and 0.6.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "device/context.h"
#include "raster/lanes.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): varyings are set where the mask has them
struct Quad {
  int32_t x = 0, y = 0;  // of lane 0, target pixels
  uint32_t covered = 0;  // bit l: lane l is drawn
  bool is_front = true;  // clockwise on screen, and all points and lines
  std::array<Float4Quad, kVaryingCount>
      varyings;  // slots of VertexOutputs::varying_mask; colours of fixed function are clamped
};

// Steps of a quad (WorkBudget) beside the instructions of its shader: tests, blending, stores.
inline constexpr uint32_t kQuadSteps = 4;

struct ProbedShading;

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): colours are set where a target gets one
struct QuadColors {
  std::array<Float4Quad, device::kTargetCount>
      colors;                           // of target i; not clamped to the target's range
  uint32_t written_targets = 1;         // bit i: target i gets a colour
  bool limits_colors = false;           // to [0, 1], after the fog: pixel shaders 1.x
  uint32_t killed = 0;                  // bit l: lane l is dropped (colour key, texkill)
  std::array<float, kLaneCount> depth;  // where writes_depth
  bool writes_depth = false;
  uint32_t steps = 0;              // shader instructions (WorkBudget)
  ProbedShading* probe = nullptr;  // set by the caller: who wants to know how it came about
};

// A compiled set of texture stages or a pixel shader. Not changed by shading; may be used by several threads.
class PixelProgram {
 public:
  virtual ~PixelProgram() = default;
  virtual void Shade(const Quad& quad, QuadColors& out) const = 0;
  // True where a covered pixel may be killed or gets another depth: no early depth test then.
  virtual bool may_kill() const = 0;
};

}  // namespace dp2trace::raster
