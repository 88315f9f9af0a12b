// A draw whose pixel a probe watches: which primitives cover the pixel, what these do to it, and why the others leave nothing there.
// Source: lib/raster/rendering.md 0.6.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "device/context.h"
#include "device/draw.h"
#include "raster/draw_plan.h"
#include "raster/probe/probe.h"
#include "raster/vertex/processor.h"

namespace dp2trace::raster {

// What the bound surfaces hold in the 2x2 pixels around a pixel, put back at the end.
class KeptQuad {
 public:
  KeptQuad(const BoundSurfaces& surfaces, const PixelRect& quad);
  ~KeptQuad();
  KeptQuad(const KeptQuad&) = delete;
  KeptQuad& operator=(const KeptQuad&) = delete;

 private:
  void Keep(const device::SurfaceRef& surface, const PixelRect& quad);

  struct Block {
    uint8_t* at = nullptr;
    uint32_t size = 0;
    std::array<uint8_t, 16> bytes = {};
  };
  std::vector<Block> blocks_;
};

// In this order: the object; Touch() of the probe where is_covered(); a drawing where is_drawn(); Finish().
class WatchedDraw {
 public:
  // Finds the primitives that cover the pixel, culled or clipped ones, too: vertices are processed, nothing is shaded or stored. All
  // outlive the object. The plan keeps_empty (PlanOptions).
  WatchedDraw(const device::Context& context, const device::Draw& draw,
              const VertexProcessor& processor, const DrawPlan& plan, uint64_t max_draw_steps,
              Probe& probe);

  // Some primitive covers the pixel, be it culled or clipped.
  bool is_covered() const { return !covers_.empty(); }
  // The pixel may change.
  bool is_drawn() const { return is_covered() && !plan_->output.clip.empty(); }
  // Draws as the reference does, but only the 2x2 pixels around the pixel, whose derivatives belong together, and of the primitives only
  // those that cover it. The surfaces keep what they hold; no query counts. Not for draws that sample their own targets, nor for lines.
  void DrawQuad();
  // Adds the steps of the trace that all this took, beside the drawing itself, and takes them from those that are left.
  void ChargeTo(uint64_t& steps, uint64_t& left) const;
  // Reports to the probe those that left nothing, and why.
  void Finish() const;

 private:
  void FindCovers();
  Fate FateOf(const Probe::Cover& cover) const;

  const device::Context* context_;
  const device::Draw* draw_;
  const VertexProcessor* processor_;
  const DrawPlan* plan_;
  uint64_t max_draw_steps_;
  uint64_t spent_ = 0;
  Probe* probe_;
  std::vector<Probe::Cover> covers_;
};

// Reports to the probe a clear that covers its pixel.
void ReportClear(const device::Context& context, const device::ClearDraw& clear, Probe& probe);

}  // namespace dp2trace::raster
