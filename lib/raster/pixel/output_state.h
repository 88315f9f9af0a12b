// All that happens to a shaded pixel, compiled from the states once per draw, so that the pixel loop looks up nothing.
// Source: lib/raster/rendering.md 0.6; lib/raster/rendering-output.md 5.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "raster/pixel/clip_rectangle.h"
#include "raster/pixel/depth_stencil.h"
#include "raster/pixel/fog.h"
#include "raster/pixel/write.h"

namespace dp2trace::raster {

struct AlphaTestPlan {
  bool is_enabled = false;
  uint32_t function = 0;
  uint32_t reference = 0;  // 0 to 255
};

struct StipplePlan {
  bool has_pattern = false;
  bool uses_alpha = false;                // STIPPLEDALPHA
  std::array<uint32_t, 32> pattern = {};  // by row & 31, bit 31 is column 0
};

struct OutputState {
  PixelRect clip;
  uint32_t sample_count = 1;          // 1, 2, 4 or 8
  uint32_t sample_mask = 0xFFFFFFFF;  // all ones without multisampling
  bool covers_by_alpha = false;       // alpha to coverage, with multisampling
  AlphaTestPlan alpha_test;
  StipplePlan stipple;
  FogPlan fog;
  DepthStencilPlan depth_stencil;
  std::vector<TargetWriter> targets;  // those that are written, by slot
};

// The surfaces outlive the result.
OutputState MakeOutputState(const device::State& state, const BoundSurfaces& surfaces,
                            const VertexOutputs& outputs, bool are_triangles);

// The samples that alpha to coverage leaves: the first rn(alpha * sample_count).
uint32_t SamplesOfAlpha(float alpha, uint32_t sample_count);
// The 8-bit comparison of 5.1 and the stipple of 5.10: true where the pixel is drawn.
uint32_t TestedAlpha(float alpha);  // 8 bits
bool PassesAlphaTest(const AlphaTestPlan& plan, float alpha);
bool PassesStipple(const StipplePlan& plan, uint32_t x, uint32_t y, float alpha);

}  // namespace dp2trace::raster
