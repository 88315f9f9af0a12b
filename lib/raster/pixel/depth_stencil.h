// Depth and stencil test of one sample, and their writes.
// Source: lib/raster/rendering-output.md 5.4 and 5.5.
#pragma once

#include <cstdint>

#include "device/resource.h"
#include "device/state.h"
#include "image/level.h"

namespace dp2trace::raster {

// Numbers of D3DCMPFUNC and D3DSTENCILOP.
struct StencilFace {
  uint32_t function = 0;
  uint32_t fail = 0, depth_fail = 0, pass = 0;
};

struct DepthStencilPlan {
  image::Level level;                       // only where `format` is set
  const d3d::FormatInfo* format = nullptr;  // null: nothing is bound
  uint32_t sample_count = 1;
  bool tests_depth = false;
  bool writes_depth = false;
  uint32_t depth_function = 0;
  bool tests_stencil = false;
  uint32_t reference = 0, read_mask = 0, write_mask = 0;  // cut to the bits of the buffer
  uint32_t largest = 0;                                   // 2^bits - 1
  StencilFace front, back;

  bool is_used() const { return tests_depth || tests_stencil; }
};

DepthStencilPlan MakeDepthStencilPlan(const device::State& state, const device::SurfaceRef& depth);

struct ProbedDepthStencil;

// Tests the quantised depth of a sample and updates the buffer; true where the sample is drawn. The pixel is inside the buffer. A probe
// gets what was compared and stored.
bool TestDepthStencil(const DepthStencilPlan& plan, bool is_front, uint32_t x, uint32_t y,
                      uint32_t sample, uint32_t depth, ProbedDepthStencil* probe = nullptr);

// The value that a D3DSTENCILOP makes of a stored value; `largest` is 2^bits - 1.
uint32_t ApplyStencilOp(uint32_t operation, uint32_t stored, uint32_t reference, uint32_t largest);

}  // namespace dp2trace::raster
