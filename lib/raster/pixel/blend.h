// Blending of a shaded colour with the colour of the target. Source: lib/raster/rendering-output.md 5.6.
#pragma once

#include <cstdint>

#include "d3d/enums.h"
#include "device/state.h"
#include "raster/math.h"

namespace dp2trace::raster {

struct BlendEquation {
  d3d::BlendFactor source = d3d::BlendFactor::One;
  d3d::BlendFactor destination = d3d::BlendFactor::Zero;
  d3d::BlendOp operation = d3d::BlendOp::Add;
};

struct BlendPlan {
  bool is_enabled = false;
  BlendEquation rgb, alpha;
  Float4 factor = {};  // BLENDFACTOR
};

BlendPlan MakeBlendPlan(const device::State& state);

// `second` is the colour of output 1 (SRCCOLOR2). All inputs are clamped to what the target holds; the result is not.
Float4 Blend(const BlendPlan& plan, const Float4& source, const Float4& second,
             const Float4& destination);

}  // namespace dp2trace::raster
