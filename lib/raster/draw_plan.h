// All that the state of a context says about a draw after its vertices: how primitives are clipped, rasterized, shaded and stored.
// Made once per draw, not changed afterwards, and independent of the context: what comes after the draw changes other plans.
// Source: lib/raster/rendering.md 0.6; lib/design.md 6.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/context.h"
#include "device/draw.h"
#include "raster/pixel/output_state.h"
#include "raster/pixel/stage_plan.h"
#include "raster/primitive/raster_state.h"
#include "raster/shader/shader.h"
#include "raster/vertex/viewport.h"

namespace dp2trace::raster {

struct PlanOptions {
  // Transformed vertices: pixels whose depth is outside [0, 1] are not drawn while depth is tested (D3DPMISCCAPS_CLIPTLVERTS, 1.7).
  bool clips_transformed_z = true;
  bool keeps_empty = false;  // a plan also where no pixel can be drawn
};

// The programs that a draw runs; null: fixed function.
struct ShaderPair {
  std::shared_ptr<const shader::Program> vertex, pixel;
  // A shader that cannot be executed draws nothing.
  bool is_refused() const {
    return (vertex != nullptr && !vertex->is_executable) ||
           (pixel != nullptr && !pixel->is_executable);
  }
};
ShaderPair ShadersOf(const device::Context& context, const device::Draw& draw);

// The vertex side runs while the draw is handed over, since vertices and indices are views of that call: its processor is not part of
// the plan. Surfaces are named by their resources; whoever draws later than the call registers with the surfaces (image::Surface,
// PendingWork), which then tell it before anybody reads, changes or destroys them.
struct DrawPlan {
  VertexOutputs outputs;
  vertex::ViewportMapping viewport;
  bool is_flat = false;  // D3DSHADE_FLAT
  RasterState raster;
  OutputState output;
  // One of the two is set.
  std::shared_ptr<const TextureStages> stages;
  std::shared_ptr<const PixelShaderPlan> pixel_shader;
  BoundSurfaces surfaces;
};

// `outputs` are those of the vertex processor. Nothing where no pixel can be drawn, unless the options say so.
std::optional<DrawPlan> MakeDrawPlan(const device::Context& context, const device::Draw& draw,
                                     const ShaderPair& shaders, const VertexOutputs& outputs,
                                     const PlanOptions& options);

// Of the textures that the pixels of a draw sample.
std::vector<const Sampler*> SamplersOf(const DrawPlan& plan);

// The plan's stages or shader as the reference executes them; they share what the plan owns.
std::unique_ptr<PixelProgram> MakePixelProgram(const DrawPlan& plan);

}  // namespace dp2trace::raster
