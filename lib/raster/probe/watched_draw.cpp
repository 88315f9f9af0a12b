#include "raster/probe/watched_draw.h"

#include <algorithm>
#include <utility>

#include "device/trace_work.h"
#include "raster/pixel/clear.h"
#include "raster/pixel/output.h"
#include "raster/primitive/rasterizer.h"
#include "raster/vertex/pipeline.h"
#include "raster/vertex/viewport.h"

namespace dp2trace::raster {
namespace {

PixelRect QuadAround(const ProbeTarget& pixel) {
  const auto [x, y] = std::pair<int64_t, int64_t>(pixel.x & ~1U, pixel.y & ~1U);
  return {x, y, x + 2, y + 2};
}

// In passes that only look for coverage: they shade nothing.
class NoProgram final : public PixelProgram {
 public:
  void Shade(const Quad&, QuadColors&) const override {}
  bool may_kill() const override { return false; }
};

}  // namespace

KeptQuad::KeptQuad(const BoundSurfaces& surfaces, const PixelRect& quad) {
  for (const device::SurfaceRef& color : surfaces.colors) {
    if (TargetWriter::CanWrite(color)) Keep(color, quad);
  }
  if (surfaces.depth && surfaces.depth.surface().info().is_depth()) Keep(surfaces.depth, quad);
}

KeptQuad::~KeptQuad() {
  for (const Block& block : blocks_)
    std::copy_n(block.bytes.begin(), block.size, block.at);
}

void KeptQuad::Keep(const device::SurfaceRef& surface, const PixelRect& quad) {
  const PixelRect inside = Intersect(quad, WholeSurface(surface));
  if (inside.empty()) return;
  const image::Level level = surface.bits();
  for (int64_t y = inside.top; y < inside.bottom; ++y) {
    for (int64_t x = inside.left; x < inside.right; ++x) {
      for (uint32_t sample = 0; sample < level.slices; ++sample) {
        Block& block = blocks_.emplace_back();
        block.at = level.block(static_cast<uint32_t>(x), static_cast<uint32_t>(y), sample);
        block.size =
            std::min<uint32_t>(level.info->block_size, static_cast<uint32_t>(block.bytes.size()));
        std::copy_n(block.at, block.size, block.bytes.begin());
      }
    }
  }
}

WatchedDraw::WatchedDraw(const device::Context& context, const device::Draw& draw,
                         const VertexProcessor& processor, const DrawPlan& plan,
                         uint64_t max_draw_steps, Probe& probe)
    : context_(&context),
      draw_(&draw),
      processor_(&processor),
      plan_(&plan),
      max_draw_steps_(max_draw_steps),
      probe_(&probe) {
  FindCovers();
  probe_->StartDraw(plan.outputs.varying_mask, *draw.layout);
}

// The same rasterization of the same vertices, of one pixel, by itself: neither culled nor clipped.
void WatchedDraw::FindCovers() {
  const auto [x, y] = std::pair<int64_t, int64_t>(probe_->target().x, probe_->target().y);
  RasterState raster = plan_->raster;
  raster.clip = {x, y, x + 1, y + 1};
  raster.depth = {};
  raster.culls_clockwise = raster.culls_counter_clockwise = false;
  WorkBudget work(max_draw_steps_);
  const NoProgram program;
  PixelOutput output(plan_->output, program, &work, probe_);
  Rasterizer rasterizer(raster, output);
  probe_->SetCoverageOnly(true);
  RunVertexPipeline(*context_, *draw_, *processor_, rasterizer, &work, probe_);
  probe_->SetCoverageOnly(false);
  covers_ = probe_->TakeCovers();
  spent_ += work.spent();
}

void WatchedDraw::DrawQuad() {
  const PixelRect quad = QuadAround(probe_->target());
  const KeptQuad kept(plan_->surfaces, quad);
  RasterState raster = plan_->raster;
  raster.clip = Intersect(raster.clip, quad);
  WorkBudget work(max_draw_steps_);
  const std::unique_ptr<PixelProgram> program = MakePixelProgram(*plan_);
  PixelOutput output(plan_->output, *program, &work, probe_);
  Rasterizer rasterizer(raster, output);
  probe_->SetWanted(covers_);
  RunVertexPipeline(*context_, *draw_, *processor_, rasterizer, &work, probe_);
  probe_->SetWanted({});
  spent_ += work.spent();
}

void WatchedDraw::ChargeTo(uint64_t& steps, uint64_t& left) const {
  const uint64_t spent = spent_ * device::kReferenceStepSteps;
  steps += spent;
  left -= std::min(left, spent);
}

Fate WatchedDraw::FateOf(const Probe::Cover& cover) const {
  const ProbeTarget& pixel = probe_->target();
  const bool is_culled =
      cover.is_front ? plan_->raster.culls_clockwise : plan_->raster.culls_counter_clockwise;
  if (d3d::Value(draw_->type) >= d3d::Value(d3d::PrimitiveType::TriangleList) && is_culled)
    return Fate::kCulled;
  const device::Viewport viewport = ViewportOf(*context_);
  const PixelRect seen = {viewport.x, viewport.y, int64_t{viewport.x} + viewport.width,
                          int64_t{viewport.y} + viewport.height};
  if (!seen.Contains(pixel.x, pixel.y)) return Fate::kOutsideViewport;
  if (!ViewportAndScissor(context_->state).Contains(pixel.x, pixel.y)) return Fate::kOutsideScissor;
  if (!plan_->output.clip.Contains(pixel.x, pixel.y)) return Fate::kOutsideSurface;
  return Fate::kOutsideDepth;
}

void WatchedDraw::Finish() const {
  for (const Probe::Cover& cover : covers_) {
    if (!probe_->is_full() && !probe_->HasFragment(cover))
      probe_->AddMissed(cover.primitive, cover.instance, FateOf(cover));
  }
  probe_->EndDraw(uint64_t{draw_->primitive_count} * draw_->instance_count);
}

void ReportClear(const device::Context& context, const device::ClearDraw& clear, Probe& probe) {
  const BoundSurfaces surfaces = SurfacesOf(context);
  const ProbeTarget& pixel = probe.target();
  const auto has_pixel = [&](const PixelRect& rect) { return rect.Contains(pixel.x, pixel.y); };
  if (!probe.Watches(surfaces) || !std::ranges::any_of(ClearRects(context.state, clear), has_pixel))
    return;
  const auto has = [&](d3d::ClearFlag flag) { return (clear.flags & d3d::Value(flag)) != 0; };
  const bool has_depth = surfaces.depth && has_pixel(WholeSurface(surfaces.depth));
  const bool is_color = surfaces.depth.resource != pixel.resource;
  probe.Touch();
  probe.OnClear({.clears_color = is_color && has(d3d::ClearFlag::Target),
                 .clears_depth = has_depth && has(d3d::ClearFlag::ZBuffer),
                 .clears_stencil = has_depth && has(d3d::ClearFlag::Stencil),
                 .color = clear.color,
                 .depth = clear.depth,
                 .stencil = clear.stencil});
}

}  // namespace dp2trace::raster
