#include "raster/renderer.h"

#include <fmt/format.h>

#include "raster/patch/patch.h"
#include "raster/pixel/clear.h"
#include "raster/pixel/output.h"
#include "raster/primitive/rasterizer.h"
#include "raster/vertex/pipeline.h"

namespace dp2trace::raster {
namespace {

// A vertex shader of level 8 (its handle is in the format), or a function of level 9.
bool HasVertexShader(const device::Context& context) {
  const device::VertexProgram& program = context.state.vertex_program;
  if (program.function != 0) return true;
  if (!program.is_level8 || (program.format & 1U) == 0) return false;
  const auto found = context.vertex_shaders.find(program.format);
  return found != context.vertex_shaders.end() && !found->second.code.empty();
}

// Source: rendering specification 5; DP2 specification 19.
void CountOcclusion(device::Context& context, uint64_t passed_pixels) {
  for (auto& [id, query] : context.queries) {
    const bool counts = query.type == d3d::Value(d3d::QueryType::Occlusion) &&
                        query.state == device::QueryState::kBuilding;
    if (counts) query.result += passed_pixels;
  }
}

}  // namespace

Renderer::Renderer(const Options& options, DiagnosticList& findings)
    : options_(options), findings_(&findings) {}

void Renderer::ReportShaders(uint64_t event, uint64_t offset) {
  const bool has_vertex_shader = HasVertexShader(*context_);
  if (!has_vertex_shader && context_->state.pixel_shader == 0) return;
  if (!reported_shaders_.insert({context_->space_id, context_->id}).second) return;
  Diagnostic finding =
      MakeDiagnostic(Rule::kReplayShader001,
                     fmt::format("context {} draws with a {} shader; fixed function is used",
                                 context_->id, has_vertex_shader ? "vertex" : "pixel"));
  finding.event = event;
  finding.offset = offset;
  findings_->Add(std::move(finding));
}

void Renderer::DrawPrimitives(const device::Draw& draw) {
  const std::unique_ptr<VertexProcessor> processor = MakeFixedFunctionProcessor(*context_, draw);
  const VertexOutputs& outputs = processor->outputs();
  const std::unique_ptr<PixelProgram> program = MakeFixedFunctionStages(*context_, outputs);
  const OutputState output_state = MakeOutputState(context_->state, SurfacesOf(*context_), outputs);
  if (output_state.clip.empty()) return;
  const RasterState raster_state =
      MakeRasterState(context_->state, output_state, outputs,
                      {.clips_transformed_z = options_.clips_transformed_z,
                       .is_line_list = draw.type == d3d::PrimitiveType::LineList});
  PixelOutput output(output_state, *program);
  Rasterizer rasterizer(raster_state, output);
  RunVertexPipeline(*context_, draw, *processor, rasterizer);
  CountOcclusion(*context_, output.passed_pixels());
}

// Source: rendering specification, 6.3.
void Renderer::ReportPatchLimit(uint64_t event, uint64_t offset) {
  Diagnostic finding = MakeDiagnostic(
      Rule::kReplayPatch001,
      fmt::format("more than {} segments along an edge of a patch", options_.max_patch_segments));
  finding.event = event;
  finding.offset = offset;
  findings_->Add(std::move(finding));
}

void Renderer::DrawTessellated(const Tessellated& triangles, const device::Draw& source) {
  if (!triangles.indices.empty()) DrawPrimitives(triangles.ToDraw(source));
}

void Renderer::OnDraw(const device::Draw& draw) {
  if (context_ == nullptr || draw.layout == nullptr) return;
  ReportShaders(draw.event, draw.offset);
  if (!UsesNPatches(*context_, draw)) return DrawPrimitives(draw);
  bool limit_hit = false;
  const uint64_t count = NPatchCount(draw);
  for (uint64_t next = 0; next < count;) {
    DrawTessellated(
        TessellateNPatches(*context_, draw, next, options_.max_patch_segments, limit_hit), draw);
  }
  if (limit_hit) ReportPatchLimit(draw.event, draw.offset);
}

void Renderer::OnPatch(const device::PatchDraw& patch) {
  if (context_ == nullptr || patch.points.layout == nullptr) return;
  const device::Draw& source = patch.points;
  ReportShaders(source.event, source.offset);
  bool limit_hit = false;
  DrawTessellated(TessellatePatch(*context_, patch, options_.max_patch_segments, limit_hit),
                  source);
  if (limit_hit) ReportPatchLimit(source.event, source.offset);
}

void Renderer::OnClear(const device::ClearDraw& clear) {
  if (context_ == nullptr) return;
  Clear(context_->state, SurfacesOf(*context_), clear);
}

}  // namespace dp2trace::raster
