#include "debug/draw_finder.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "replay/renderers.h"
#include "text/command.h"
#include "trace/event_kind.h"

namespace dp2trace::debug {
namespace {

replay::RunnerOptions ValidationOf(const FinderOptions& options, StateWrites& writes) {
  replay::RunnerOptions validation = options.validation;
  if (options.wants_writes) validation.device.observer = &writes;
  // Vertex shaders may sample textures.
  validation.device.surfaces.keeps_pixels = options.draws_pixels || options.wants_meshes;
  return validation;
}

}  // namespace

DrawFinder::DrawFinder(const FinderOptions& options, DiagnosticList& findings, DrawVisitor& visitor)
    : options_(options),
      visitor_(&visitor),
      runner_(ValidationOf(options, writes_), findings, *this) {
  if (options.draws_pixels) {
    renderer_ =
        replay::MakeRenderer(options.renderer, options.raster, runner_.execution_findings());
  }
  runner_.SetSink(*this);
}

DrawFinder::~DrawFinder() = default;

Status DrawFinder::OnEvent(uint64_t number, const trace::Event& event) {
  event_ = number;
  visited_ = 0;
  writes_.StartEvent(number, trace::EventName(trace::CodeOf(event)));
  draws_.Add(event);
  naming_.Apply(event);
  const auto commands = trace::StreamOf(event, naming_.length_origin());
  environment_ = commands ? commands->environment : stream::Environment{};
  if (const auto* marker = std::get_if<trace::Marker>(&event)) marker_.emplace(*marker);
  DP2TRACE_RETURN_IF_ERROR(runner_.OnEvent(number, event));
  DP2TRACE_RETURN_IF_ERROR(status_);
  if (options_.wants_writes) writes_.Prune(runner_.device());
  if (draws_.draws().empty()) return OkStatus();
  marker_.reset();
  uint64_t chosen = 0;
  for (const trace::DrawToken& draw : draws_.draws())
    chosen += options_.draws.Contains(draw.number) ? 1U : 0U;
  skipped_ += chosen - std::min(chosen, visited_);
  return OkStatus();
}

void DrawFinder::OnHeader(const trace::Header& header) {
  if (renderer_ != nullptr) {
    renderer_->SetClipsTransformedZ(
        replay::ClipsTransformedZ(header, options_.raster.clips_transformed_z));
  }
}

Status DrawFinder::OnSessionEnd() {
  if (renderer_ != nullptr) renderer_->Finish();
  return OkStatus();
}

void DrawFinder::OnCall(device::Context& context) {
  context_ = &context;
  if (renderer_ != nullptr) renderer_->SetContext(context);
}

void DrawFinder::BeforeApply(const device::Context& context, const stream::Command& command) {
  if (options_.wants_writes) writes_.BeforeApply(context, command);
  if (!command.op->is(opcode::kDraw)) return;
  const trace::DrawToken* const draw = draws_.Find(command.offset);
  if (draw == nullptr) return;
  if (renderer_ != nullptr) renderer_->StartDraw(draw->number);
  if (options_.draws.Contains(draw->number)) Visit(context, command, *draw);
}

void DrawFinder::Visit(const device::Context& context, const stream::Command& command,
                       const trace::DrawToken& draw) {
  ++visited_;
  current_ = draw.number;
  next_primitive_ = 1;
  limits_left_ = options_.mesh_limits;
  if (!status_.ok()) return;
  if (renderer_ != nullptr) renderer_->Finish();
  FoundDraw found;
  found.token = draw;
  found.event = event_;
  found.frame = frame_;
  text::AppendCommand(found.command, command, environment_, context.runtime_version);
  found.marker = marker_;
  status_ = visitor_->OnDraw(found, runner_.device(), context);
}

Status DrawFinder::OnApplied(device::Context& context, const stream::Command& command) {
  if (options_.wants_writes) writes_.AfterApply(context, command);
  current_ = 0;
  return status_;
}

Status DrawFinder::OnPresent(const trace::Present& /*present*/) {
  ++frame_;
  return OkStatus();
}

void DrawFinder::AddMesh(Mesh&& mesh) {
  mesh.first_primitive = next_primitive_;
  next_primitive_ += mesh.primitives.size();
  limits_left_.primitives -=
      std::min(limits_left_.primitives, static_cast<uint32_t>(mesh.primitives.size()));
  limits_left_.steps -= std::min(limits_left_.steps, mesh.steps);
  visitor_->OnMesh(std::move(mesh));
}

bool DrawFinder::DrawsPixels() const {
  const bool is_last = current_ != 0 && options_.draws.IsPast(current_ + 1);
  return renderer_ != nullptr && !is_last;
}

bool DrawFinder::MakesMesh() const {
  return current_ != 0 && options_.wants_meshes && makes_meshes_;
}

void DrawFinder::OnDraw(const device::Draw& draw) {
  if (MakesMesh()) AddMesh(MakeMesh(*context_, draw, current_, limits_left_));
  if (DrawsPixels()) renderer_->OnDraw(draw);
}

void DrawFinder::OnPatch(const device::PatchDraw& patch) {
  if (MakesMesh())
    AddMesh(MakeMesh(*context_, patch, options_.raster.max_patch_segments, current_, limits_left_));
  if (DrawsPixels()) renderer_->OnPatch(patch);
}

void DrawFinder::OnClear(const device::ClearDraw& clear) {
  if (DrawsPixels()) renderer_->OnClear(clear);
}

}  // namespace dp2trace::debug
