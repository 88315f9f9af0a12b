// Draws what a device hands out: the DrawSink that makes pixels.
// Source: rendering specification; DESIGN section 6.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "device/context.h"
#include "device/draw.h"
#include "raster/work_budget.h"

namespace dp2trace::raster {

struct Tessellated;

struct Options {
  // Transformed vertices: pixels whose depth is outside [0, 1] are not drawn while depth is tested (D3DPMISCCAPS_CLIPTLVERTS, 1.7).
  bool clips_transformed_z = true;
  uint32_t max_patch_segments = 128;  // per edge
  uint64_t max_draw_steps = uint64_t{1}
                            << 30;  // of one draw or clear; WorkBudget says what a step is
};

// The reference renderer: plain scalar code, one pixel at a time. Draws into the surfaces that the context names.
class Renderer final : public device::DrawSink {
 public:
  Renderer(const Options& options, DiagnosticList& findings);

  void SetClipsTransformedZ(bool clips) { options_.clips_transformed_z = clips; }
  // The context of the draws that follow.
  void SetContext(device::Context& context) { context_ = &context; }

  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;

 private:
  // REPLAY-PATCH-001.
  void ReportPatchLimit(uint64_t event, uint64_t offset);
  // REPLAY-DRAW-002 where the budget is spent.
  void ReportWorkLimit(const WorkBudget& work, uint64_t event, uint64_t offset);
  void DrawPrimitives(const device::Draw& draw, WorkBudget& work);
  void DrawTessellated(const Tessellated& triangles, const device::Draw& source, WorkBudget& work);
  void DrawNPatches(const device::Draw& draw, WorkBudget& work);

  Options options_;
  DiagnosticList* findings_;
  device::Context* context_ = nullptr;
};

}  // namespace dp2trace::raster
