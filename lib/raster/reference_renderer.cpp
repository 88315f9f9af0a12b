#include "raster/reference_renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "raster/draw_plan.h"
#include "raster/patch/patch.h"
#include "raster/pixel/clear.h"
#include "raster/pixel/output.h"
#include "raster/primitive/rasterizer.h"
#include "raster/probe/watched_draw.h"
#include "raster/vertex/pipeline.h"
#include "rules/rule.h"

namespace dp2trace::raster {
namespace {

// The stages of the reference are less fine: what comes before and after the shading of a quad is kCover.
class TimedSink final : public PrimitiveSink {
 public:
  TimedSink(PrimitiveSink& sink, StageClock& clock) : sink_(sink), clock_(clock) {}

  void Point(const ScreenVertex& vertex) override {
    Timed([&] { sink_.Point(vertex); });
  }
  void Line(const ScreenVertex& a, const ScreenVertex& b, bool pattern_start,
            bool draws_last) override {
    Timed([&] { sink_.Line(a, b, pattern_start, draws_last); });
  }
  void Polygon(const ScreenVertex* vertices, uint32_t count, uint32_t edges) override {
    Timed([&] { sink_.Polygon(vertices, count, edges); });
  }

 private:
  template <class Work>
  void Timed(const Work& work) {
    const Stage before = clock_.Enter(Stage::kCover);
    work();
    clock_.Enter(before);
  }

  PrimitiveSink& sink_;
  StageClock& clock_;
};

class TimedProgram final : public PixelProgram {
 public:
  TimedProgram(const PixelProgram& program, StageClock& clock) : program_(program), clock_(clock) {}

  void Shade(const Quad& quad, QuadColors& out) const override {
    const Stage before = clock_.Enter(Stage::kShade);
    program_.Shade(quad, out);
    clock_.Enter(before);
  }
  bool may_kill() const override { return program_.may_kill(); }

 private:
  const PixelProgram& program_;
  StageClock& clock_;
};

}  // namespace

RendererStatistics ReferenceRenderer::statistics() const {
  RendererStatistics statistics = statistics_;
  statistics.times = clock_.times();
  return statistics;
}

void ReferenceRenderer::SetMeasuring(bool measures) {
  measures_ = measures;
  clock_.SetMeasuring(measures);
}

ReferenceRenderer::ReferenceRenderer(Options options, DiagnosticList& findings)
    : options_(std::move(options)), findings_(&findings) {}

void ReferenceRenderer::DrawPrimitives(const device::Draw& draw, WorkBudget& work) {
  const ShaderPair shaders = ShadersOf(*context_, draw);
  if (shaders.is_refused()) return;
  const std::unique_ptr<VertexProcessor> processor =
      shaders.vertex != nullptr
          ? MakeVertexShaderProcessor(*context_, draw, *shaders.vertex, shaders.pixel.get())
          : MakeFixedFunctionProcessor(*context_, draw);
  const bool is_watched = probe_ != nullptr && probe_->Watches(SurfacesOf(*context_));
  const std::optional<DrawPlan> plan = MakeDrawPlan(
      *context_, draw, shaders, processor->outputs(),
      {.clips_transformed_z = options_.clips_transformed_z, .keeps_empty = is_watched});
  if (!plan) return;
  if (!is_watched) return DrawPlanned(draw, *processor, *plan, work, nullptr);
  const WatchedDraw watched(*context_, draw, *processor, *plan,
                            WorkOf(device::kReferenceStepSteps).total(), *probe_);
  if (watched.is_covered()) probe_->Touch();
  watched.ChargeTo(steps_, left_);
  if (!plan->output.clip.empty()) {
    WorkBudget rest = WorkOf(device::kReferenceStepSteps);
    DrawPlanned(draw, *processor, *plan, rest, probe_);
    work.SpendAs(rest);
  }
  watched.Finish();
}

void ReferenceRenderer::DrawPlanned(const device::Draw& draw, const VertexProcessor& processor,
                                    const DrawPlan& plan, WorkBudget& work, Probe* probe) {
  const std::unique_ptr<PixelProgram> program = MakePixelProgram(plan);
  const TimedProgram timed_program(*program, clock_);
  PixelOutput output(plan.output,
                     measures_ ? static_cast<const PixelProgram&>(timed_program) : *program, &work,
                     probe);
  Rasterizer rasterizer(plan.raster, output);
  TimedSink timed_sink(rasterizer, clock_);
  RunVertexPipeline(*context_, draw, processor,
                    measures_ ? static_cast<PrimitiveSink&>(timed_sink) : rasterizer, &work, probe);
  touched_ = Around(touched_, output.touched());
  context_->CountOcclusion(output.passed_pixels());
  statistics_.pixels += output.passed_pixels();
  statistics_.texels += output.passed_pixels() * SamplersOf(plan).size();
}

// Source: lib/raster/rendering-geometry.md 6.3.
void ReferenceRenderer::ReportPatchLimit(uint64_t event, uint64_t offset) {
  Diagnostic finding = MakeDiagnostic(
      Rule::kReplayPatch001,
      fmt::format("more than {} segments along an edge of a patch (--max-patch-segments)",
                  options_.max_patch_segments));
  finding.event = event;
  finding.offset = offset;
  findings_->Add(std::move(finding));
}

void ReferenceRenderer::EndWork(const WorkBudget& work, uint64_t weight, uint64_t event,
                                uint64_t offset) {
  steps_ += work.spent() * weight;
  if (!work.is_spent()) return;
  if (work.total() < options_.max_draw_steps) return;  // REPLAY-WORK-001
  Diagnostic finding =
      MakeDiagnostic(Rule::kReplayDraw002,
                     fmt::format("more than {} of work (--max-draw-steps), the rest is not drawn",
                                 Counted(options_.max_draw_steps, "step")));
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
  WorkBudget work = WorkOf(device::kReferenceStepSteps);
  const Stage before = clock_.Enter(Stage::kVertex);
  if (UsesNPatches(*context_, draw)) {
    DrawNPatches(draw, work);
  } else {
    DrawPrimitives(draw, work);
  }
  clock_.Enter(before);
  EndWork(work, device::kReferenceStepSteps, draw.event, draw.offset);
}

void ReferenceRenderer::OnPatch(const device::PatchDraw& patch) {
  if (context_ == nullptr || patch.points.layout == nullptr) return;
  const device::Draw& source = patch.points;
  bool limit_hit = false;
  WorkBudget work = WorkOf(device::kReferenceStepSteps);
  const Stage before = clock_.Enter(Stage::kVertex);
  DrawTessellated(TessellatePatch(*context_, patch, options_.max_patch_segments, limit_hit), source,
                  work);
  clock_.Enter(before);
  if (limit_hit) ReportPatchLimit(source.event, source.offset);
  EndWork(work, device::kReferenceStepSteps, source.event, source.offset);
}

void ReferenceRenderer::OnClear(const device::ClearDraw& clear) {
  if (context_ == nullptr) return;
  if (probe_ != nullptr) ReportClear(*context_, clear, *probe_);
  WorkBudget work = WorkOf(device::kClearStepSteps);
  const Stage before = clock_.Enter(Stage::kOutput);
  for (const PixelRect& rect : ClearRects(context_->state, clear))
    touched_ = Around(touched_, rect);
  Clear(context_->state, SurfacesOf(*context_), clear, &work);
  clock_.Enter(before);
  EndWork(work, device::kClearStepSteps, clear.event, clear.offset);
}

std::unique_ptr<Renderer> MakeReferenceRenderer(const Options& options, DiagnosticList& findings) {
  return std::make_unique<ReferenceRenderer>(options, findings);
}

}  // namespace dp2trace::raster
