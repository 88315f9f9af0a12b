#include "raster/renderer.h"

#include <fmt/format.h>

#include "raster/patch/patch.h"
#include "raster/pixel/clear.h"
#include "raster/pixel/output.h"
#include "raster/primitive/rasterizer.h"
#include "raster/shader/linkage.h"
#include "raster/shader/shader.h"
#include "raster/vertex/pipeline.h"
#include "rules/rule.h"

namespace dp2trace::raster {
namespace {

constexpr uint32_t kFirstVersionWithoutFog = 0x30;  // ps_3_0. Source: rendering specification, 2.7.

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

void Renderer::DrawPrimitives(const device::Draw& draw, WorkBudget& work) {
  const shader::Program* const vertex_shader = VertexProgramOf(*context_, draw);
  const shader::Program* const pixel_shader = PixelProgramOf(*context_);
  const bool is_refused = (vertex_shader != nullptr && !vertex_shader->is_executable) ||
                          (pixel_shader != nullptr && !pixel_shader->is_executable);
  if (is_refused) return;
  const std::unique_ptr<VertexProcessor> processor =
      vertex_shader != nullptr
          ? MakeVertexShaderProcessor(*context_, draw, *vertex_shader, pixel_shader)
          : MakeFixedFunctionProcessor(*context_, draw);
  const VertexOutputs& outputs = processor->outputs();
  const std::unique_ptr<PixelProgram> program =
      pixel_shader != nullptr ? MakePixelShader(*context_, *pixel_shader, outputs)
                              : MakeFixedFunctionStages(*context_, outputs);
  OutputState output_state = MakeOutputState(context_->state, SurfacesOf(*context_), outputs);
  if (pixel_shader != nullptr && pixel_shader->version.code() >= kFirstVersionWithoutFog)
    output_state.fog = {};
  if (output_state.clip.empty()) return;
  const RasterState raster_state = MakeRasterState(
      context_->state, output_state, outputs,
      {.clips_transformed_z = options_.clips_transformed_z,
       .is_line_list = draw.type == d3d::PrimitiveType::LineList,
       .centroid_mask = pixel_shader != nullptr ? CentroidSlots(*pixel_shader) : 0});
  PixelOutput output(output_state, *program, &work);
  Rasterizer rasterizer(raster_state, output);
  RunVertexPipeline(*context_, draw, *processor, rasterizer, &work);
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

void Renderer::ReportWorkLimit(const WorkBudget& work, uint64_t event, uint64_t offset) {
  if (!work.is_spent()) return;
  Diagnostic finding = MakeDiagnostic(
      Rule::kReplayDraw002,
      fmt::format("more than {} steps of work, the rest is not drawn", options_.max_draw_steps));
  finding.event = event;
  finding.offset = offset;
  findings_->Add(std::move(finding));
}

void Renderer::DrawTessellated(const Tessellated& triangles, const device::Draw& source,
                               WorkBudget& work) {
  if (!triangles.indices.empty()) DrawPrimitives(triangles.ToDraw(source), work);
}

void Renderer::DrawNPatches(const device::Draw& draw, WorkBudget& work) {
  bool limit_hit = false;
  const uint64_t count = NPatchCount(draw);
  for (uint64_t next = 0; next < count && !work.is_spent();) {
    DrawTessellated(
        TessellateNPatches(*context_, draw, next, options_.max_patch_segments, limit_hit), draw,
        work);
  }
  if (limit_hit) ReportPatchLimit(draw.event, draw.offset);
}

void Renderer::OnDraw(const device::Draw& draw) {
  if (context_ == nullptr || draw.layout == nullptr) return;
  WorkBudget work(options_.max_draw_steps);
  if (UsesNPatches(*context_, draw)) {
    DrawNPatches(draw, work);
  } else {
    DrawPrimitives(draw, work);
  }
  ReportWorkLimit(work, draw.event, draw.offset);
}

void Renderer::OnPatch(const device::PatchDraw& patch) {
  if (context_ == nullptr || patch.points.layout == nullptr) return;
  const device::Draw& source = patch.points;
  bool limit_hit = false;
  WorkBudget work(options_.max_draw_steps);
  DrawTessellated(TessellatePatch(*context_, patch, options_.max_patch_segments, limit_hit), source,
                  work);
  if (limit_hit) ReportPatchLimit(source.event, source.offset);
  ReportWorkLimit(work, source.event, source.offset);
}

void Renderer::OnClear(const device::ClearDraw& clear) {
  if (context_ == nullptr) return;
  WorkBudget work(options_.max_draw_steps);
  Clear(context_->state, SurfacesOf(*context_), clear, &work);
  ReportWorkLimit(work, clear.event, clear.offset);
}

}  // namespace dp2trace::raster
