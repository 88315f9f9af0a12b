// The equations of fog. Source: lib/raster/rendering-geometry.md 2.7.
#pragma once

#include <cstdint>

#include "vertex/math.h"

namespace dp2trace::vertex {

struct FogEquation {
  uint32_t mode = 0;  // D3DFOGMODE
  float start = 0, end = 1, density = 1;
};

// A mode that has an equation: all but NONE and what is not a mode.
bool IsFogEquation(uint32_t mode);

// What a linear equation gives where start and end are the same.
enum class EqualFogLimits : uint8_t {
  kFullyFogged,  // vertex fog
  kStep,         // table fog: no fog in front of them
};

// The factor at a distance: [0, 1], 1 = no fog. The mode has an equation.
float FogFactor(const FogEquation& fog, float distance, EqualFogLimits equal);

// The distance of vertex fog: |z| of a place in eye space, or its range (RANGEFOGENABLE).
float VertexFogDistance(const Float3& eye, bool is_range);

}  // namespace dp2trace::vertex
