#include "raster/reference_renderer.h"

#include <fmt/format.h>

#include "raster/draw_plan.h"
#include "raster/patch/patch.h"
#include "raster/pixel/clear.h"
#include "raster/pixel/output.h"
#include "raster/primitive/rasterizer.h"
#include "raster/vertex/pipeline.h"
#include "rules/rule.h"

namespace dp2trace::raster {
namespace {

// Source: rendering specification 5; DP2 specification 19.
void CountOcclusion(device::Context& context, uint64_t passed_pixels) {
  for (auto& [id, query] : context.queries) {
    const bool counts = query.type == d3d::Value(d3d::QueryType::Occlusion) &&
                        query.state == device::QueryState::kBuilding;
    if (counts) query.result += passed_pixels;
  }
}

}  // namespace

ReferenceRenderer::ReferenceRenderer(const Options& options, DiagnosticList& findings)
    : options_(options), findings_(&findings) {}

void ReferenceRenderer::DrawPrimitives(const device::Draw& draw, WorkBudget& work) {
  const ShaderPair shaders = ShadersOf(*context_, draw);
  if (shaders.is_refused()) return;
  const std::unique_ptr<VertexProcessor> processor =
      shaders.vertex != nullptr
          ? MakeVertexShaderProcessor(*context_, draw, *shaders.vertex, shaders.pixel.get())
          : MakeFixedFunctionProcessor(*context_, draw);
  const std::optional<DrawPlan> plan =
      MakeDrawPlan(*context_, draw, shaders, processor->outputs(),
                   {.clips_transformed_z = options_.clips_transformed_z});
  if (!plan) return;
  const std::unique_ptr<PixelProgram> program = MakePixelProgram(*plan);
  PixelOutput output(plan->output, *program, &work);
  Rasterizer rasterizer(plan->raster, output);
  RunVertexPipeline(*context_, draw, *processor, rasterizer, &work);
  CountOcclusion(*context_, output.passed_pixels());
}

// Source: rendering specification, 6.3.
void ReferenceRenderer::ReportPatchLimit(uint64_t event, uint64_t offset) {
  Diagnostic finding = MakeDiagnostic(
      Rule::kReplayPatch001,
      fmt::format("more than {} segments along an edge of a patch", options_.max_patch_segments));
  finding.event = event;
  finding.offset = offset;
  findings_->Add(std::move(finding));
}

void ReferenceRenderer::ReportWorkLimit(const WorkBudget& work, uint64_t event, uint64_t offset) {
  if (!work.is_spent()) return;
  Diagnostic finding = MakeDiagnostic(
      Rule::kReplayDraw002,
      fmt::format("more than {} steps of work (--max-draw-steps), the rest is not drawn",
                  options_.max_draw_steps));
  finding.event = event;
  finding.offset = offset;
  findings_->Add(std::move(finding));
}

void ReferenceRenderer::DrawTessellated(const Tessellated& triangles, const device::Draw& source,
                                        WorkBudget& work) {
  if (!triangles.indices.empty()) DrawPrimitives(triangles.ToDraw(source), work);
}

void ReferenceRenderer::DrawNPatches(const device::Draw& draw, WorkBudget& work) {
  bool limit_hit = false;
  const uint64_t count = NPatchCount(draw);
  for (uint64_t next = 0; next < count && !work.is_spent();) {
    DrawTessellated(
        TessellateNPatches(*context_, draw, next, options_.max_patch_segments, limit_hit), draw,
        work);
  }
  if (limit_hit) ReportPatchLimit(draw.event, draw.offset);
}

void ReferenceRenderer::OnDraw(const device::Draw& draw) {
  if (context_ == nullptr || draw.layout == nullptr) return;
  WorkBudget work(options_.max_draw_steps);
  if (UsesNPatches(*context_, draw)) {
    DrawNPatches(draw, work);
  } else {
    DrawPrimitives(draw, work);
  }
  ReportWorkLimit(work, draw.event, draw.offset);
}

void ReferenceRenderer::OnPatch(const device::PatchDraw& patch) {
  if (context_ == nullptr || patch.points.layout == nullptr) return;
  const device::Draw& source = patch.points;
  bool limit_hit = false;
  WorkBudget work(options_.max_draw_steps);
  DrawTessellated(TessellatePatch(*context_, patch, options_.max_patch_segments, limit_hit), source,
                  work);
  if (limit_hit) ReportPatchLimit(source.event, source.offset);
  ReportWorkLimit(work, source.event, source.offset);
}

void ReferenceRenderer::OnClear(const device::ClearDraw& clear) {
  if (context_ == nullptr) return;
  WorkBudget work(options_.max_draw_steps);
  Clear(context_->state, SurfacesOf(*context_), clear, &work);
  ReportWorkLimit(work, clear.event, clear.offset);
}

std::unique_ptr<Renderer> MakeReferenceRenderer(const Options& options, DiagnosticList& findings) {
  return std::make_unique<ReferenceRenderer>(options, findings);
}

}  // namespace dp2trace::raster
