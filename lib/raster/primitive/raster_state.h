// What turns primitives into quads, compiled from the states once per draw.
// Source: lib/raster/rendering-geometry.md 1.3 to 1.10.
#pragma once

#include <cstdint>

#include "d3d/enums.h"
#include "d3d/formats.h"
#include "raster/pixel/output_state.h"
#include "raster/primitive/fixed_point.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

// How z and rhw become the integer that the depth test compares. Source: lib/raster/rendering-geometry.md 1.3, 1.8 and 1.9.
struct DepthRule {
  const d3d::FormatInfo* format = nullptr;  // null: depth is not tested
  double scale = 1;                         // 2^n - 1 of an integer buffer, else 1
  bool is_float = false;
  bool uses_w = false;
  double w_near = 0, w_far = 1;
  bool clips_z = false;  // raw z outside [0, 1] is not drawn
  double depth_bias = 0, slope_bias = 0;
  double z_bias = 0;  // ZBIAS, as it is added
};

struct RasterState {
  PixelRect clip;
  VertexOutputs outputs;
  FogSource fog = FogSource::kNone;
  DepthRule depth;
  uint32_t sample_count = 1;
  bool is_per_sample = false;  // each sample has its own coverage and depth
  // Varying slots that are taken where the primitive is; 0 without is_per_sample.
  uint32_t centroid_mask = 0;
  d3d::FillMode fill_mode = d3d::FillMode::Solid;
  bool culls_clockwise = false, culls_counter_clockwise = false;
  bool draws_last_pixel = true;
  uint32_t line_pattern = 0;
  uint32_t line_repeat = 0;  // 0: solid lines
  bool has_antialiased_lines = false;
  bool has_point_sprites = false;

  uint32_t all_samples() const { return (1U << sample_count) - 1; }
};

struct RasterOptions {
  bool clips_transformed_z = true;
  bool is_line_list = false;   // EDGEANTIALIAS acts on these
  uint32_t centroid_mask = 0;  // varying slots of inputs that are declared with _centroid
};

RasterState MakeRasterState(const device::State& state, const OutputState& output,
                            const VertexOutputs& outputs, const RasterOptions& options);

// The depth of a line or point as the buffer stores it. Nothing where z is clipped. `bias` is added.
std::optional<uint32_t> DepthOf(const DepthRule& rule, double z, double rhw, double bias);

}  // namespace dp2trace::raster
