// The fast renderer: the bits of the reference, drawn tile by tile with the machine's vectors, when somebody looks.
// Source: lib/design.md 6; lib/raster/rendering.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "base/work_budget.h"
#include "device/trace_work.h"
#include "fast/draw_cache.h"
#include "fast/pixel/stage_cache.h"
#include "fast/texture/texture_cache.h"
#include "fast/tile/assembly.h"
#include "fast/tile/scheduler.h"
#include "fast/vertex/vertex_blocks.h"
#include "raster/reference_renderer.h"
#include "raster/renderer.h"
#include "raster/stage_clock.h"

namespace dp2trace::fast {

class FastRenderer final : public raster::Renderer, private image::PendingWork {
 public:
  static constexpr const char* kName = "fast";

  FastRenderer(const raster::Options& options, DiagnosticList& findings);
  ~FastRenderer() override;
  FastRenderer(const FastRenderer&) = delete;
  FastRenderer& operator=(const FastRenderer&) = delete;

  void SetClipsTransformedZ(bool clips) override;
  void SetContext(device::Context& context) override;
  void Finish() override;
  raster::PixelRect TakeTouched() override;
  raster::RendererStatistics statistics() const override;
  void SetMeasuring(bool measures) override;
  // The reference reports to the probe what this renderer draws: it draws the quad of the watched pixel beforehand.
  void SetProbe(raster::Probe* probe) override;

  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;
  uint64_t steps() const override { return steps_ + reference_.steps(); }
  void SetStepsLeft(uint64_t steps) override {
    left_ = steps;
    reference_.SetStepsLeft(steps);
  }

 private:
  // Empty, or what there are no kernels for: the reference has to draw it.
  std::string_view Queue(const device::Draw& draw);
  std::string_view Queue(const device::ClearDraw& clear);
  // Reports to the probe a draw that is queued next, or (without `queued`) of one that draws no pixel. Finishes what waits where the
  // draw covers the watched pixel.
  void Report(const device::Draw& draw, const raster::ShaderPair& shaders,
              const raster::VertexProcessor& processor, const QueuedDraw* queued);
  // What was added may be painted.
  void Advance();
  // How the vertices of the draw are processed: made, or found.
  std::shared_ptr<VertexSide> VerticesOf(const device::Draw& draw,
                                         const raster::ShaderPair& shaders);
  // How its pixels are drawn: made, or found. Null where no pixel can be drawn, or only by the reference for what `refusal` says.
  std::shared_ptr<const QueuedDraw> DrawOf(const device::Draw& draw,
                                           const raster::ShaderPair& shaders,
                                           const raster::VertexOutputs& outputs,
                                           std::string_view& refusal);
  // Null, and why.
  std::shared_ptr<const QueuedDraw> MakeDraw(raster::DrawPlan&& plan, std::string_view& refusal);
  // The program of the pixels of a draw, complete. Null where only the reference draws it.
  std::shared_ptr<const PixelCode> CodeOf(const raster::DrawPlan& plan);
  // Lets the queue belong to the surfaces of the draw; finishes it before where it belongs to others.
  void AdoptTargets(const raster::BoundSurfaces& surfaces);
  // While it lives, reads of surfaces are not reported: the plan of a draw names its targets. Those that the queue has at its end are
  // watched then.
  class Unwatched {
   public:
    explicit Unwatched(FastRenderer& renderer) : renderer_(&renderer) {
      renderer.SetPending(nullptr);
    }
    ~Unwatched() { renderer_->SetPending(renderer_); }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;

   private:
    FastRenderer* renderer_;
  };
  // Of the targets of the queue.
  void SetPending(image::PendingWork* work);
  // Paints what is queued, which surfaces then belong to nobody.
  void PaintQueued();
  void AddTriangles(const device::Draw& draw, VertexSide& vertices, const QueuedDraw& queued,
                    WorkBudget& work);

  raster::Options options_;
  raster::ReferenceRenderer reference_;
  raster::RendererStatistics statistics_;
  raster::StageClock clock_;
  device::Context* context_ = nullptr;
  Isa isa_;
  NativeCache native_;
  ShaderCache shader_codes_;
  VertexBlocks vertices_;
  TileScheduler scheduler_;
  TextureCache textures_;
  StageCache stage_codes_;
  DrawCache cache_;
  Assembly assembly_;
  raster::BoundSurfaces targets_;  // of the queue
  raster::Probe* probe_ = nullptr;
  TouchedPixels touched_;
  // The work of a draw or clear, each step of which is `weight` steps of the trace: by its own limit, or by what the trace may still cost.
  WorkBudget WorkOf(uint64_t weight) const {
    return WorkBudget(std::min(options_.max_draw_steps, left_ / weight + 1));
  }

  // A program was made, perhaps of what was compiled before.
  void PayFor(const Program& program) {
    const uint64_t compiled = shader_codes_.compiled() + native_.compiled();
    steps_ += program.instructions.size() * device::kOperationSteps +
              (compiled - std::exchange(compiled_, compiled)) * device::kCompiledOperationSteps;
  }
  uint64_t compiled_ = 0;  // operations that were paid for

  uint64_t steps_ = 0;          // of the trace, of what was queued
  uint64_t left_ = UINT64_MAX;  // of the trace
};

std::unique_ptr<raster::Renderer> MakeFastRenderer(const raster::Options& options,
                                                   DiagnosticList& findings);

}  // namespace dp2trace::fast
