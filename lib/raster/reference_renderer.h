// The reference: plain scalar code, one pixel at a time, at once. The oracle for every other renderer.
// Source: lib/raster/rendering.md; lib/design.md 6.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/work_budget.h"
#include "device/trace_work.h"
#include "raster/draw_plan.h"
#include "raster/probe/probe.h"
#include "raster/renderer.h"
#include "raster/stage_clock.h"

namespace dp2trace::raster {

struct Tessellated;

class ReferenceRenderer final : public Renderer {
 public:
  static constexpr const char* kName = "reference";

  ReferenceRenderer(Options options, DiagnosticList& findings);

  void SetClipsTransformedZ(bool clips) override { options_.clips_transformed_z = clips; }
  void SetContext(device::Context& context) override { context_ = &context; }
  void Finish() override {}
  PixelRect TakeTouched() override { return std::exchange(touched_, {}); }
  RendererStatistics statistics() const override;
  void SetMeasuring(bool measures) override;
  void SetProbe(Probe* probe) override { probe_ = probe; }

  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;
  uint64_t steps() const override { return steps_; }
  void SetStepsLeft(uint64_t steps) override { left_ = steps; }

 private:
  // REPLAY-PATCH-001.
  void ReportPatchLimit(uint64_t event, uint64_t offset);
  // Counts the work of a draw. REPLAY-DRAW-002 where its budget is spent.
  void EndWork(const WorkBudget& work, uint64_t weight, uint64_t event, uint64_t offset);
  void DrawPrimitives(const device::Draw& draw, WorkBudget& work);
  void DrawPlanned(const device::Draw& draw, const VertexProcessor& processor, const DrawPlan& plan,
                   WorkBudget& work, Probe* probe);
  void DrawTessellated(const Tessellated& triangles, const device::Draw& source, WorkBudget& work);
  void DrawNPatches(const device::Draw& draw, WorkBudget& work);

  Options options_;
  DiagnosticList* findings_;
  device::Context* context_ = nullptr;
  PixelRect touched_;
  RendererStatistics statistics_;
  // The work of a draw or clear, each step of which is `weight` steps of the trace: by its own limit, or by what the trace may still cost.
  WorkBudget WorkOf(uint64_t weight) const {
    return WorkBudget(std::min(options_.max_draw_steps, left_ / weight + 1));
  }

  uint64_t steps_ = 0;          // of the trace
  uint64_t left_ = UINT64_MAX;  // the same
  bool measures_ = false;
  StageClock clock_;
  Probe* probe_ = nullptr;
};

std::unique_ptr<Renderer> MakeReferenceRenderer(const Options& options, DiagnosticList& findings);

}  // namespace dp2trace::raster
