#include "fast/fast_renderer.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "d3d/enums.h"
#include "fast/pixel/fog_compiler.h"
#include "fast/shader/pixel_shader.h"
#include "fast/tile/setup.h"
#include "fast/tile/target_plan.h"
#include "image/depth.h"
#include "raster/patch/patch.h"
#include "raster/probe/watched_draw.h"
#include "raster/shader/shader.h"
#include "raster/vertex/fetch.h"
#include "raster/vertex/pipeline.h"

namespace dp2trace::fast {

using raster::Stage;

namespace {

// Bytes that wait before they are drawn. More would keep threads busy no longer, and their memory costs time, too.
constexpr uint64_t kMaxQueueBytes = uint64_t{64} << 20;
// Draws of fewer vertices make no program, which would cost more than it saves; what is there they use.
constexpr size_t kLeastForBlocks = 8;
// A draw of more primitives is left to the reference: its triangles could not be taken back when its work is too much.
constexpr uint64_t kMaxPrimitives = uint64_t{1} << 19;

bool IsTriangles(d3d::PrimitiveType type) {
  return type == d3d::PrimitiveType::TriangleList || type == d3d::PrimitiveType::TriangleStrip ||
         type == d3d::PrimitiveType::TriangleFan;
}

// Components that the triangles of a draw carry.
std::vector<PixelInput> ComponentsOf(const PixelCode& code) {
  std::vector<PixelInput> components;
  std::ranges::copy_if(code.inputs, std::back_inserter(components), [](const PixelInput& input) {
    return input.slot != kFogSlot || input.component == 0;
  });
  return components;
}

// Vertices are processed while the draw is handed over: what waits may be about to change their textures.
bool SamplesTextures(const shader::Program& program) {
  return std::ranges::any_of(program.instructions, [](const shader::Instruction& instruction) {
    return instruction.info->kind == shader::OpKind::kTexture;
  });
}

// A program that samples what may change before the tiles are drawn must run at once.
bool SamplesSurfaces(const PixelCode& code) {
  return std::ranges::any_of(code.samplers,
                             [](const auto& sampler) { return !sampler->owns_texels(); });
}

}  // namespace

FastRenderer::FastRenderer(const raster::Options& options, DiagnosticList& findings)
    : options_(options),
      reference_(options, findings),
      isa_(FindIsa(options.isa).value_or(SupportedIsas().front())),
      native_(isa_, options.has_codegen),
      vertices_(KernelsOf(isa_), shader_codes_, native_),
      scheduler_(isa_, options.threads != 0 ? options.threads : DefaultThreadCount()),
      textures_(isa_, scheduler_.workers()) {}

FastRenderer::~FastRenderer() {
  Finish();
}

void FastRenderer::SetClipsTransformedZ(bool clips) {
  if (options_.clips_transformed_z != clips) cache_.Clear();
  options_.clips_transformed_z = clips;
  reference_.SetClipsTransformedZ(clips);
}

void FastRenderer::SetContext(device::Context& context) {
  context_ = &context;
  reference_.SetContext(context);
}

void FastRenderer::SetPending(image::PendingWork* work) {
  for (const device::SurfaceRef& target : targets_.colors) {
    if (target) target.surface().SetPending(work);
  }
  if (targets_.depth) targets_.depth.surface().SetPending(work);
}

raster::RendererStatistics FastRenderer::statistics() const {
  raster::RendererStatistics statistics = statistics_;
  statistics.pixels = scheduler_.counts().pixels;
  statistics.texels = scheduler_.counts().texels;
  statistics.times = clock_.times();
  statistics.Add({.handed_on = {}, .slow = {}, .times = scheduler_.times()});
  statistics.Add(reference_.statistics());
  return statistics;
}

raster::PixelRect FastRenderer::TakeTouched() {
  const PixelBounds own = std::exchange(touched_, {}).bounds();
  return raster::Around({own.left, own.top, own.right, own.bottom}, reference_.TakeTouched());
}

void FastRenderer::SetMeasuring(bool measures) {
  Finish();
  clock_.SetMeasuring(measures);
  reference_.SetMeasuring(measures);
  scheduler_.SetMeasuring(measures);
}

void FastRenderer::SetProbe(raster::Probe* probe) {
  probe_ = probe;
  reference_.SetProbe(probe);
}

void FastRenderer::PaintQueued() {
  SetPending(nullptr);
  targets_ = {};
  scheduler_.Finish(clock_);
}

void FastRenderer::Finish() {
  const bool is_idle = scheduler_.empty();
  PaintQueued();
  if (is_idle) return;
  cache_.EndRound();
  if (textures_.is_full()) cache_.Clear();
  textures_.EndRound();
  stage_codes_.Clear();
}

void FastRenderer::AdoptTargets(const raster::BoundSurfaces& surfaces) {
  if (targets_ == surfaces && !scheduler_.empty()) return;
  if (!scheduler_.empty()) Finish();
  uint32_t width = 0;
  uint32_t height = 0;
  const auto include = [&](const device::SurfaceRef& target) {
    const raster::PixelRect area = raster::WholeSurface(target);
    width = std::max(width, static_cast<uint32_t>(area.right));
    height = std::max(height, static_cast<uint32_t>(area.bottom));
  };
  for (const device::SurfaceRef& target : surfaces.colors) {
    if (target) include(target);
  }
  if (surfaces.depth) include(surfaces.depth);
  scheduler_.SetExtent(width, height);
  targets_ = surfaces;
}

std::shared_ptr<const PixelCode> FastRenderer::CodeOf(const raster::DrawPlan& plan) {
  const raster::FogPlan& fog = plan.output.fog;
  if (plan.pixel_shader == nullptr) return stage_codes_.Find(*plan.stages, fog, textures_, native_);
  const std::shared_ptr<PixelCode> code =
      CompilePixelShader(*plan.pixel_shader, shader_codes_, textures_);
  if (code != nullptr) FinishCode(fog, native_, *code);
  return code;
}

std::shared_ptr<const QueuedDraw> FastRenderer::MakeDraw(raster::DrawPlan&& plan,
                                                         std::string_view& refusal) {
  auto draw = std::make_shared<QueuedDraw>(std::move(plan));
  refusal = PlanDepth(*draw);
  if (refusal.empty()) refusal = PlanTargets(*draw);
  if (!refusal.empty()) return nullptr;
  const std::vector<const raster::Sampler*> samplers = raster::SamplersOf(draw->plan);
  draw->texture_count = samplers.size();
  for (const raster::Sampler* sampler : samplers) {
    const device::Resource& texture = sampler->resource();
    // What a draw reads of its own target depends on the order of its pixels.
    if (draw->plan.surfaces.Contains(texture)) {
      refusal = "a texture that is its target";
      return nullptr;
    }
    if (targets_.Contains(texture)) Finish();
  }
  const std::shared_ptr<const PixelCode> code = CodeOf(draw->plan);
  if (code == nullptr) {
    refusal = draw->plan.pixel_shader != nullptr ? "pixel shader" : "masks by texture alpha";
    return nullptr;
  }
  FinishDraw(code, *draw);
  draw->components = ComponentsOf(*code);
  if (draw->components.size() + 1 > kMaxComponents) {
    refusal = "too many interpolated numbers";
    return nullptr;
  }
  draw->padded = PaddedComponents(static_cast<uint32_t>(draw->components.size()) + 1);
  SetComponentMasks(*draw);
  return draw;
}

std::shared_ptr<VertexSide> FastRenderer::VerticesOf(const device::Draw& draw,
                                                     const raster::ShaderPair& shaders) {
  std::shared_ptr<VertexSide> vertices = cache_.FindVertices(*context_, draw, shaders);
  if (vertices != nullptr) return vertices;
  vertices = std::make_shared<VertexSide>();
  vertices->shaders = shaders;
  vertices->processor =
      shaders.vertex != nullptr
          ? raster::MakeVertexShaderProcessor(*context_, draw, *shaders.vertex, shaders.pixel.get())
          : raster::MakeFixedFunctionProcessor(*context_, draw);
  const raster::VertexOutputs& outputs = vertices->processor->outputs();
  vertices->wraps = std::ranges::any_of(outputs.wrap, [](uint32_t bits) { return bits != 0; });
  if (!outputs.is_transformed)
    vertices->planes = context_->state.value(d3d::RenderState::ClipPlaneEnable) & 0x3FU;
  cache_.AddVertices(vertices);
  return vertices;
}

std::shared_ptr<const QueuedDraw> FastRenderer::DrawOf(const device::Draw& draw,
                                                       const raster::ShaderPair& shaders,
                                                       const raster::VertexOutputs& outputs,
                                                       std::string_view& refusal) {
  std::shared_ptr<const QueuedDraw> found =
      cache_.FindDraw(*context_, draw, shaders, outputs, targets_);
  if (found != nullptr) return found;
  std::optional<raster::DrawPlan> plan = raster::MakeDrawPlan(
      *context_, draw, shaders, outputs, {.clips_transformed_z = options_.clips_transformed_z});
  if (!plan) return nullptr;
  const std::shared_ptr<const QueuedDraw> made = MakeDraw(std::move(*plan), refusal);
  if (made != nullptr) PayFor(made->code->program);
  if (made != nullptr && !SamplesSurfaces(*made->code)) cache_.AddDraw(made);
  return made;
}

void FastRenderer::AddTriangles(const device::Draw& draw, VertexSide& vertices,
                                const QueuedDraw& queued, WorkBudget& work) {
  const Stage outside = clock_.Enter(Stage::kBin);
  TriangleSetup setup(scheduler_.queue(), queued, work);
  const raster::VertexProcessor& processor = *vertices.processor;
  ++vertices.use_count;
  // The reference may process a vertex once for each corner.
  const uint64_t primitives = uint64_t{draw.primitive_count} * draw.instance_count;
  const auto process = [&](std::span<const int64_t> numbers, uint32_t instance,
                           VertexRecords& records) {
    const bool is_worth_it = numbers.size() >= kLeastForBlocks || vertices.use_count > 1;
    if (is_worth_it && !std::exchange(vertices.has_code, true)) {
      vertices.bound = vertices_.CodeOf(processor, vertices.shaders.vertex, queued.plan.viewport);
      if (vertices.bound.code != nullptr) PayFor(vertices.bound.code->program);
    }
    const auto cost = [&](uint64_t steps) { return draw.primitive_count * (1 + 3 * steps); };
    if (const VertexCode* const code = vertices.bound.code.get(); code != nullptr) {
      if (!work.Spend(cost(code->steps))) return false;
      vertices_.Run(vertices.bound, processor, draw, queued, numbers, instance, records);
      return true;
    }
    uint64_t steps = 1;
    for (const int64_t number : numbers) {
      const raster::Vertex vertex = processor.Process(raster::FetchVertex(draw, number, instance));
      steps = std::max<uint64_t>(steps, vertex.steps);
      if (cost(steps) > work.left()) break;
      records.Append(vertex);
    }
    return work.Spend(cost(steps));
  };
  const auto process_timed = [&](std::span<const int64_t> numbers, uint32_t instance,
                                 VertexRecords& records) {
    const Stage before = clock_.Enter(Stage::kVertex);
    const bool is_paid = process(numbers, instance, records);
    clock_.Enter(before);
    return is_paid;
  };
  const bool is_assembled =
      draw.type != d3d::PrimitiveType::PointList && !vertices.wraps && primitives != 0 &&
      (!IsTriangles(draw.type) || queued.plan.raster.fill_mode == d3d::FillMode::Solid) &&
      assembly_.Run(draw, queued, vertices.planes, std::ref(process_timed), setup);
  if (!is_assembled) raster::RunVertexPipeline(*context_, draw, processor, setup, &work);
  touched_.Add(setup.touched().bounds());
  clock_.Enter(outside);
}

void FastRenderer::Report(const device::Draw& draw, const raster::ShaderPair& shaders,
                          const raster::VertexProcessor& processor, const QueuedDraw* queued) {
  if (probe_ == nullptr || !probe_->Watches(raster::SurfacesOf(*context_))) return;
  std::optional<raster::DrawPlan> empty;
  if (queued == nullptr) {
    empty = raster::MakeDrawPlan(
        *context_, draw, shaders, processor.outputs(),
        {.clips_transformed_z = options_.clips_transformed_z, .keeps_empty = true});
  }
  raster::WatchedDraw watched(*context_, draw, processor, queued != nullptr ? queued->plan : *empty,
                              WorkOf(device::kReferenceStepSteps).total(), *probe_);
  if (watched.is_covered()) {
    Finish();
    probe_->Touch();
  }
  if (watched.is_drawn()) watched.DrawQuad();
  watched.ChargeTo(steps_, left_);
  reference_.SetStepsLeft(left_);
  watched.Finish();
}

std::string_view FastRenderer::Queue(const device::Draw& draw) {
  const uint64_t primitives = uint64_t{draw.primitive_count} * draw.instance_count;
  if (primitives > kMaxPrimitives) return "too many primitives";
  if (raster::UsesNPatches(*context_, draw)) return "N-patches";
  const raster::ShaderPair shaders = raster::ShadersOf(*context_, draw);
  if (shaders.is_refused()) return {};
  if (shaders.vertex != nullptr && SamplesTextures(*shaders.vertex)) return "vertex textures";
  std::optional<Unwatched> unwatched(std::in_place, *this);
  cache_.Start(*context_, raster::SurfacesOf(*context_));
  const std::shared_ptr<VertexSide> vertices = VerticesOf(draw, shaders);
  std::string_view refusal;
  const std::shared_ptr<const QueuedDraw> made =
      DrawOf(draw, shaders, vertices->processor->outputs(), refusal);
  // Alpha is limited after coverage has scaled it, which programs do before.
  if (made != nullptr && made->plan.raster.has_antialiased_lines && made->code->limits_colors &&
      !IsTriangles(draw.type))
    refusal = "antialiased lines of pixel shaders 1";
  if (refusal.empty()) Report(draw, shaders, *vertices->processor, made.get());
  if (made == nullptr || !refusal.empty()) return refusal;
  if (SamplesSurfaces(*made->code)) ++statistics_.slow["sampling"];
  const bool is_counting = !context_->counting_queries.empty();
  if (is_counting) PaintQueued();
  AdoptTargets(made->plan.surfaces);
  DrawQueue& queue = scheduler_.queue();
  const DrawQueue::Mark mark = queue.mark();
  queue.Add(made);
  WorkBudget work = WorkOf(device::kFastStepSteps);
  AddTriangles(draw, *vertices, *made, work);
  unwatched.reset();
  if (work.is_spent()) {
    queue.Rollback(mark);
    return "limit of work";
  }
  steps_ += work.spent() * device::kFastStepSteps;
  if (is_counting) {
    const uint64_t before = scheduler_.counts().pixels;
    PaintQueued();
    context_->CountOcclusion(scheduler_.counts().pixels - before);
  } else if (SamplesSurfaces(*made->code) || textures_.is_full()) {
    Finish();
  } else {
    Advance();
  }
  return {};
}

void FastRenderer::Advance() {
  scheduler_.size_bytes() > kMaxQueueBytes ? Finish() : scheduler_.Advance(clock_);
}

std::string_view FastRenderer::Queue(const device::ClearDraw& clear) {
  const raster::BoundSurfaces surfaces = raster::SurfacesOf(*context_);
  WorkBudget work = WorkOf(device::kClearStepSteps);
  const std::vector<raster::ClearFill> fills =
      raster::FillsOf(context_->state, surfaces, clear, &work);
  if (work.is_spent()) return "limit of work";
  if (fills.empty()) return {};
  std::optional<Unwatched> unwatched(std::in_place, *this);
  std::vector<QueuedClear> clears;
  for (const raster::ClearFill& fill : fills) {
    const std::optional<QueuedClear> made = PlanClear(fill);
    if (!made) return "clear of blocks";
    clears.push_back(*made);
  }
  steps_ += work.spent() * device::kClearStepSteps;
  AdoptTargets(surfaces);
  for (const QueuedClear& made : clears) {
    scheduler_.queue().Add(made);
    touched_.Add(made.bounds);
  }
  unwatched.reset();
  Advance();
  return {};
}

void FastRenderer::OnDraw(const device::Draw& draw) {
  if (context_ == nullptr || draw.layout == nullptr) return;
  const Stage before = clock_.Enter(Stage::kVertex);
  const raster::Probe::Mark mark = probe_ != nullptr ? probe_->mark() : raster::Probe::Mark();
  const std::string_view refusal = Queue(draw);
  clock_.Enter(before);
  if (refusal.empty()) return;
  if (probe_ != nullptr) probe_->Rollback(mark);
  ++statistics_.handed_on[refusal];
  Finish();
  reference_.OnDraw(draw);
}

void FastRenderer::OnPatch(const device::PatchDraw& patch) {
  ++statistics_.handed_on["patch"];
  Finish();
  reference_.OnPatch(patch);
}

void FastRenderer::OnClear(const device::ClearDraw& clear) {
  if (context_ == nullptr) return;
  if (probe_ != nullptr) raster::ReportClear(*context_, clear, *probe_);
  const Stage before = clock_.Enter(Stage::kBin);
  const std::string_view refusal = Queue(clear);
  clock_.Enter(before);
  if (refusal.empty()) return;
  ++statistics_.handed_on[refusal];
  Finish();
  reference_.OnClear(clear);
}

std::unique_ptr<raster::Renderer> MakeFastRenderer(const raster::Options& options,
                                                   DiagnosticList& findings) {
  return std::make_unique<FastRenderer>(options, findings);
}

}  // namespace dp2trace::fast
