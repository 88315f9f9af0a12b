// What makes pixels of the draws that a device hands out. Implementations give the same bits; they differ in speed.
// Source: lib/raster/rendering.md; lib/design.md 6.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "device/context.h"
#include "device/draw.h"
#include "raster/pixel/clip_rectangle.h"
#include "raster/statistics.h"

namespace dp2trace::raster {

class Probe;

struct Options {
  // Transformed vertices: pixels whose depth is outside [0, 1] are not drawn while depth is tested (D3DPMISCCAPS_CLIPTLVERTS, 1.7).
  bool clips_transformed_z = true;
  uint32_t max_patch_segments = 128;  // per edge
  // Of one draw or clear. A step is a vertex, a light of a vertex, a primitive, a quarter of what a 2x2 quad takes, a block of 8x8 pixels that is examined, a
  // column of a line, an executed shader instruction, 4 pixels of a clear.
  uint64_t max_draw_steps = uint64_t{1} << 30;
  uint32_t threads = 0;  // that draw; 0: one for each core. The reference has one.
  std::string isa = {};  // instruction set of the kernels; empty: the best of the machine
  // Programs become machine code where there is some for the instruction set.
  bool has_codegen = true;
};

// Draws into the surfaces that the context names, now or when somebody looks: surfaces with drawing that waits finish it before they
// are read, changed or destroyed (image::PendingWork). Results of queries and findings are there after Finish().
class Renderer : public device::DrawSink {
 public:
  virtual void SetClipsTransformedZ(bool clips) = 0;
  // The context of the draws that follow.
  virtual void SetContext(device::Context& context) = 0;
  // What follows is draw `number` of the trace: for messages.
  virtual void StartDraw(uint64_t /*number*/) {}
  // Draws all that waits.
  virtual void Finish() = 0;
  // A rectangle around all pixels that may have been written since the last call, whichever bound surfaces they are of: what was drawn
  // with targets of several sizes counts together. It may reach over their edges. Complete after Finish().
  virtual PixelRect TakeTouched() = 0;
  // Of all that was drawn; complete after Finish().
  virtual RendererStatistics statistics() const = 0;
  // Times of stages cost time themselves: they are taken only on demand.
  virtual void SetMeasuring(bool measures) = 0;
  // The probe gets a report of everything drawn from now on, and outlives the renderer; null: no probe. All renderers report the same.
  virtual void SetProbe(Probe* probe) = 0;
};

// A row of the table of renderers.
struct RendererType {
  const char* name;
  const char* summary;
  // Findings go to the list, which outlives the renderer.
  std::unique_ptr<Renderer> (*make)(const Options& options, DiagnosticList& findings);
};

}  // namespace dp2trace::raster
