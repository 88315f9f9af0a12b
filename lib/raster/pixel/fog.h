// Fog of a pixel: the table equations, and the mix with the fog colour.
// Source: lib/raster/rendering-geometry.md 2.7; lib/raster/rendering-output.md 5.3. Vertex fog factors come interpolated from vertex/.
#pragma once

#include <cstdint>

#include "device/state.h"
#include "raster/math.h"
#include "raster/vertex/vertex.h"
#include "vertex/fog.h"

namespace dp2trace::raster {

// What is interpolated for fog.
enum class FogSource : uint8_t {
  kNone,
  kFactor,  // ScreenVertex::fog, the factor
  kZ,       // screen-linear z before bias and clamp, for the table equation, which adds the bias
  kW,       // 1 / rhw, for the table equation
};

struct FogPlan {
  FogSource source = FogSource::kNone;
  FogFactorSource factor = FogFactorSource::kNothing;  // of kFactor
  float depth_bias = 0;                                // of kZ
  vertex::FogEquation table;
  Float4 color = {};
};

// DEPTHBIAS is only for triangles.
FogPlan MakeFogPlan(const device::State& state, const VertexOutputs& outputs, bool are_triangles);

// What the equation takes, from the interpolated number that the source names.
float FogValue(const FogPlan& plan, float interpolated);
// The factor in [0, 1], 1 = no fog, from such a value.
float FogFactor(const FogPlan& plan, float value);
// f * rgb + (1 - f) * fog colour; alpha stays.
Float4 ApplyFog(const FogPlan& plan, float factor, const Float4& color);

}  // namespace dp2trace::raster
