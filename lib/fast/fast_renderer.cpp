#include "fast/fast_renderer.h"

#include <algorithm>

#include "d3d/enums.h"
#include "fast/pixel/fog_compiler.h"
#include "fast/shader/pixel_shader.h"
#include "fast/tile/setup.h"
#include "fast/tile/target_plan.h"
#include "image/depth.h"
#include "raster/patch/patch.h"
#include "raster/shader/shader.h"
#include "raster/vertex/fetch.h"
#include "raster/vertex/pipeline.h"

namespace dp2trace::fast {

using raster::Stage;

namespace {

// Bytes of waiting triangles before they are drawn.
constexpr uint64_t kMaxQueueBytes = uint64_t{256} << 20;
// Vertices of which a draw has fewer are processed one by one.
constexpr size_t kLeastForBlocks = 8;
// A draw of more primitives is left to the reference: its triangles could not be taken back when its work is too much.
constexpr uint64_t kMaxPrimitives = uint64_t{1} << 19;

bool IsTriangles(d3d::PrimitiveType type) {
  return type == d3d::PrimitiveType::TriangleList || type == d3d::PrimitiveType::TriangleStrip ||
         type == d3d::PrimitiveType::TriangleFan;
}

bool IsCounting(const device::Context& context) {
  return std::ranges::any_of(context.queries, [](const auto& item) {
    return item.second.type == d3d::Value(d3d::QueryType::Occlusion) &&
           item.second.state == device::QueryState::kBuilding;
  });
}

void CountOcclusion(device::Context& context, uint64_t passed) {
  for (auto& [id, query] : context.queries) {
    const bool counts = query.type == d3d::Value(d3d::QueryType::Occlusion) &&
                        query.state == device::QueryState::kBuilding;
    if (counts) query.result += passed;
  }
}

// Components that the triangles of a draw carry.
std::vector<PixelInput> ComponentsOf(const PixelCode& code) {
  std::vector<PixelInput> components;
  std::ranges::copy_if(code.inputs, std::back_inserter(components), [](const PixelInput& input) {
    return input.slot != kFogSlot || input.component == 0;
  });
  return components;
}

bool IsAmong(const raster::BoundSurfaces& surfaces, const device::Resource& resource) {
  if (surfaces.depth.resource == &resource) return true;
  return std::ranges::any_of(surfaces.colors, [&](const device::SurfaceRef& target) {
    return target.resource == &resource;
  });
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

void CountSlowParts(const QueuedDraw& draw, raster::RendererStatistics& statistics) {
  if (draw.is_stencil) ++statistics.slow["stencil"];
  if (!std::ranges::all_of(draw.targets, &QueuedTarget::is_fast)) ++statistics.slow["target"];
  if (SamplesSurfaces(*draw.code)) ++statistics.slow["sampling"];
}

}  // namespace

FastRenderer::FastRenderer(const raster::Options& options, DiagnosticList& findings)
    : options_(options),
      reference_(options, findings),
      isa_(FindIsa(options.isa).value_or(SupportedIsas().front())),
      vertices_(KernelsOf(isa_)),
      workers_(options.threads != 0 ? options.threads : DefaultThreadCount()) {}

FastRenderer::~FastRenderer() {
  Finish();
}

void FastRenderer::SetClipsTransformedZ(bool clips) {
  options_.clips_transformed_z = clips;
  reference_.SetClipsTransformedZ(clips);
}

void FastRenderer::SetContext(device::Context& context) {
  context_ = &context;
  reference_.SetContext(context);
}

void FastRenderer::SuspendPending() {
  for (const device::SurfaceRef& target : targets_.colors) {
    if (target) target.surface().SetPending(nullptr);
  }
  if (targets_.depth) targets_.depth.surface().SetPending(nullptr);
}

void FastRenderer::ResumePending() {
  for (const device::SurfaceRef& target : targets_.colors) {
    if (target) target.surface().SetPending(this);
  }
  if (targets_.depth) targets_.depth.surface().SetPending(this);
}

void FastRenderer::PaintTiles() {
  std::vector<uint32_t> tiles;
  for (uint32_t tile = 0; tile < queue_.tile_count(); ++tile) {
    if (!queue_.bin(tile).empty()) tiles.push_back(tile);
  }
  // The longest first, so that no thread ends with one.
  std::ranges::sort(tiles, [this](uint32_t a, uint32_t b) {
    return queue_.bin(a).size() > queue_.bin(b).size();
  });
  while (painters_.size() < workers_.count()) {
    painters_.push_back(std::make_unique<Painter>(isa_));
    painters_.back()->clock().SetMeasuring(measures_);
  }
  // What the painters do has clocks of its own: the rest of this time is waiting for them.
  const Stage before = clock_.Enter(Stage::kWait);
  workers_.Run(static_cast<uint32_t>(tiles.size()), [&](uint32_t worker, uint32_t i) {
    const Stage outside = worker == 0 ? clock_.Enter(Stage::kNone) : Stage::kNone;
    painters_[worker]->Paint(queue_, tiles[i]);
    if (worker == 0) clock_.Enter(outside);
  });
  clock_.Enter(before);
}

void FastRenderer::ClearQueue() {
  for (const std::unique_ptr<QueuedDraw>& draw : queue_.draws()) {
    statistics_.pixels += draw->passed;
    statistics_.texels += draw->passed * draw->texture_count;
  }
  queue_.Clear();
}

raster::RendererStatistics FastRenderer::statistics() const {
  raster::RendererStatistics statistics = statistics_;
  statistics.times = clock_.times();
  for (const std::unique_ptr<Painter>& painter : painters_)
    statistics.Add({.handed_on = {}, .slow = {}, .times = painter->clock().times()});
  statistics.Add(reference_.statistics());
  return statistics;
}

void FastRenderer::SetMeasuring(bool measures) {
  measures_ = measures;
  clock_.SetMeasuring(measures);
  reference_.SetMeasuring(measures);
  for (const std::unique_ptr<Painter>& painter : painters_)
    painter->clock().SetMeasuring(measures);
}

void FastRenderer::Finish() {
  SuspendPending();
  targets_ = {};
  if (queue_.empty()) return;
  PaintTiles();
  ClearQueue();
  textures_.EndRound();
  stage_codes_.Clear();
}

void FastRenderer::AdoptTargets(const raster::BoundSurfaces& surfaces) {
  const bool is_same = targets_.colors == surfaces.colors && targets_.depth == surfaces.depth;
  if (is_same && !queue_.empty()) return;
  if (!queue_.empty()) Finish();
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
  queue_.SetExtent(width, height);
  targets_ = surfaces;
}

std::shared_ptr<const PixelCode> FastRenderer::CodeOf(const raster::DrawPlan& plan) {
  const raster::FogPlan& fog = plan.output.fog;
  if (plan.pixel_shader == nullptr) return stage_codes_.Find(*plan.stages, fog, textures_);
  const std::shared_ptr<PixelCode> code = CompilePixelShader(*plan.pixel_shader, textures_);
  if (code != nullptr) FinishCode(fog, *code);
  return code;
}

std::unique_ptr<QueuedDraw> FastRenderer::MakeDraw(raster::DrawPlan&& plan,
                                                   std::string_view& refusal) {
  auto draw = std::make_unique<QueuedDraw>(std::move(plan));
  refusal = PlanDepth(*draw);
  if (refusal.empty()) refusal = PlanTargets(*draw);
  if (!refusal.empty()) return nullptr;
  const std::vector<const raster::Sampler*> samplers = raster::SamplersOf(draw->plan);
  draw->texture_count = samplers.size();
  for (const raster::Sampler* sampler : samplers) {
    const device::Resource& texture = sampler->resource();
    // What a draw reads of its own target depends on the order of its pixels.
    if (IsAmong(draw->plan.surfaces, texture)) {
      refusal = "a texture that is its target";
      return nullptr;
    }
    if (IsAmong(targets_, texture)) Finish();
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
  CountSlowParts(*draw, statistics_);
  return draw;
}

void FastRenderer::AddTriangles(const device::Draw& draw, const raster::VertexProcessor& processor,
                                const QueuedDraw& queued, raster::WorkBudget& work) {
  const Stage outside = clock_.Enter(Stage::kSetup);
  TriangleSetup setup(isa_, queue_, queued, work, clock_);
  const raster::VertexOutputs& outputs = queued.plan.outputs;
  const bool wraps = std::ranges::any_of(outputs.wrap, [](uint32_t bits) { return bits != 0; });
  const uint32_t planes =
      outputs.is_transformed ? 0 : context_->state.value(d3d::RenderState::ClipPlaneEnable) & 0x3FU;
  // The reference may process a vertex once for each corner.
  const uint64_t primitives = uint64_t{draw.primitive_count} * draw.instance_count;
  std::shared_ptr<const VertexCode> code;
  const auto process = [&](std::span<const int64_t> numbers, uint32_t instance,
                           VertexRecords& records) {
    if (numbers.size() >= kLeastForBlocks && code == nullptr)
      code = vertices_.CodeOf(processor, queued.plan.viewport);
    if (code != nullptr) {
      work.Spend(uint64_t{draw.primitive_count} * (1 + 3 * uint64_t{code->steps}));
      return vertices_.Run(*code, processor, draw, queued, numbers, instance, records);
    }
    uint64_t steps = 1;
    for (const int64_t number : numbers) {
      const raster::Vertex vertex = processor.Process(raster::FetchVertex(draw, number, instance));
      steps = std::max<uint64_t>(steps, vertex.steps);
      records.Append(vertex);
    }
    work.Spend(uint64_t{draw.primitive_count} * (1 + 3 * steps));
  };
  const auto process_timed = [&](std::span<const int64_t> numbers, uint32_t instance,
                                 VertexRecords& records) {
    const Stage before = clock_.Enter(Stage::kVertex);
    process(numbers, instance, records);
    clock_.Enter(before);
  };
  const bool is_assembled = IsTriangles(draw.type) && !wraps && primitives != 0 &&
                            assembly_.Run(draw, queued, planes, process_timed, setup);
  if (is_assembled) {
    clock_.Enter(outside);
    return;
  }
  raster::RunVertexPipeline(*context_, draw, processor, setup, &work);
  clock_.Enter(outside);
}

std::string_view FastRenderer::Queue(const device::Draw& draw) {
  const uint64_t primitives = uint64_t{draw.primitive_count} * draw.instance_count;
  const bool is_points = draw.type == d3d::PrimitiveType::PointList;
  if (!is_points && !IsTriangles(draw.type)) return "lines";
  if (primitives > kMaxPrimitives) return "too many primitives";
  if (raster::UsesNPatches(*context_, draw)) return "N-patches";
  const raster::ShaderPair shaders = raster::ShadersOf(*context_, draw);
  if (shaders.is_refused()) return {};
  if (shaders.vertex != nullptr && SamplesTextures(*shaders.vertex)) return "vertex textures";
  SuspendPending();
  const std::unique_ptr<raster::VertexProcessor> processor =
      shaders.vertex != nullptr
          ? raster::MakeVertexShaderProcessor(*context_, draw, *shaders.vertex, shaders.pixel.get())
          : raster::MakeFixedFunctionProcessor(*context_, draw);
  std::optional<raster::DrawPlan> plan =
      raster::MakeDrawPlan(*context_, draw, shaders, processor->outputs(),
                           {.clips_transformed_z = options_.clips_transformed_z});
  if (!plan) {
    ResumePending();
    return {};
  }
  if (is_points && plan->raster.has_point_sprites) {
    ResumePending();
    return "point sprites";
  }
  const raster::BoundSurfaces surfaces = plan->surfaces;
  std::string_view refusal;
  std::unique_ptr<QueuedDraw> made = MakeDraw(std::move(*plan), refusal);
  if (made == nullptr) {
    ResumePending();
    return refusal;
  }
  const bool must_finish = SamplesSurfaces(*made->code) || IsCounting(*context_);
  AdoptTargets(surfaces);
  const DrawQueue::Mark mark = queue_.mark();
  QueuedDraw& queued = queue_.Add(std::move(made));
  raster::WorkBudget work(options_.max_draw_steps);
  AddTriangles(draw, *processor, queued, work);
  ResumePending();
  if (work.is_spent()) {
    queue_.Rollback(mark);
    return "limit of work";
  }
  if (must_finish) {
    if (IsCounting(*context_)) {
      PaintTiles();
      CountOcclusion(*context_, queued.passed);
      SuspendPending();
      targets_ = {};
      ClearQueue();
    } else {
      Finish();
    }
  } else if (queue_.size_bytes() > kMaxQueueBytes || textures_.is_full()) {
    Finish();
  }
  return {};
}

void FastRenderer::OnDraw(const device::Draw& draw) {
  if (context_ == nullptr || draw.layout == nullptr) return;
  const Stage before = clock_.Enter(Stage::kVertex);
  const std::string_view refusal = Queue(draw);
  clock_.Enter(before);
  if (refusal.empty()) return;
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
  ++statistics_.handed_on["clear"];
  Finish();
  reference_.OnClear(clear);
}

std::unique_ptr<raster::Renderer> MakeFastRenderer(const raster::Options& options,
                                                   DiagnosticList& findings) {
  return std::make_unique<FastRenderer>(options, findings);
}

}  // namespace dp2trace::fast
