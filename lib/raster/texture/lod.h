// Level of detail: derivatives to a filter, one or two levels and, with ANISOTROPIC, a number of samples.
// Source: lib/raster/rendering-texture.md 3.3 and 3.4.
#pragma once

#include <cstdint>

#include "raster/math.h"
#include "raster/texture/sampler.h"

namespace dp2trace::raster {

// The logarithm of 3.4, for x >= 2^-120: exact at powers of two, 128 for infinity.
float LodLog2(float x);

// Where one pixel samples: a face, coordinates on it and what they change by to the next pixel.
struct Footprint {
  uint32_t face = 0;
  Float4 position = {};
  Float4 ddx = {}, ddy = {};
};

// What is sampled. `axes`: 2, or 3 for a volume.
struct Extent {
  std::array<uint32_t, 3> size = {1, 1, 1};  // texels of level 0
  uint32_t axes = 2;
  uint32_t first_level = 0;  // SETTEXLOD
  uint32_t last_level = 0;
};

struct LevelChoice {
  Filter filter = Filter::kPoint;
  uint32_t first = 0;
  uint32_t second = 0;   // where `fraction` is not 0
  float fraction = 0;    // of the second level; 0: only the first one
  uint32_t samples = 1;  // along `step`, each with weight 1 / samples
  Float4 step = {};      // the longer derivative, texture coordinates
};

// `bias` is that of the pixel; with kExplicit it is the level itself and the derivatives do not count.
LevelChoice ChooseLevels(const SamplerState& state, const Extent& extent,
                         const Footprint& footprint, LodRequest::Kind kind, float bias);

}  // namespace dp2trace::raster
