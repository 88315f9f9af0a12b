// One sample of one level: which texels, and their weights.
// Source: lib/raster/rendering-texture.md 3.2, 3.3 and 3.5.
#pragma once

#include "raster/math.h"
#include "raster/texture/sampler.h"
#include "raster/texture/texel_reader.h"

namespace dp2trace::raster {

struct ProbedSample;
struct ProbedShading;

// a + f * (b - a) in every component.
Float4 Lerp(const Float4& a, const Float4& b, float f);

// The texel that POINT reads, along all axes.
Tap NearestTap(const LevelView& view, const Float4& coordinates);

// Where the texels of a sample are kept, with their weights.
struct TexelProbe {
  ProbedSample* sample = nullptr;
  const ProbedShading* shading = nullptr;
  uint32_t level = 0;  // that is filtered
  float weight = 1;    // of what is filtered, in the sample
};

// `coordinates` are u, v and w; for depth formats the third is the reference. ANISOTROPIC and PYRAMIDALQUAD are LINEAR here.
Float4 FilterLevel(const TexelReader& reader, const LevelView& view, Filter filter,
                   const Float4& coordinates, const TexelProbe* probe = nullptr);

}  // namespace dp2trace::raster
