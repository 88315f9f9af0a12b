#include "debug/frame_statistics.h"

#include <algorithm>
#include <variant>

#include "device/state_value.h"
#include "raster/draw_plan.h"
#include "replay/renderers.h"
#include "rules/rule_info.h"
#include "trace/event_kind.h"

namespace dp2trace::debug {
namespace {

replay::RunnerOptions ValidationOf(const FrameOptions& options, device::StateObserver& observer) {
  replay::RunnerOptions validation = options.validation;
  validation.device.observer = &observer;
  return validation;
}

}  // namespace

uint64_t FrameStatistics::all_bytes() const {
  uint64_t sum = 0;
  for (const auto& [kind, size] : bytes)
    sum += size;
  return sum;
}

double FrameStatistics::overdraw() const {
  return target_pixels == 0 ? 0 : static_cast<double>(pixels) / static_cast<double>(target_pixels);
}

FrameCounter::FrameCounter(const FrameOptions& options)
    : options_(options),
      runner_(ValidationOf(options, *this), findings_, *this),
      renderer_(
          replay::MakeRenderer(options.renderer, options.raster, runner_.execution_findings())) {
  frame_.number = 1;
  runner_.SetSink(*this);
}

FrameCounter::~FrameCounter() = default;

Status FrameCounter::OnEvent(uint64_t number, const trace::Event& event, uint64_t payload_size) {
  draws_.Add(event);
  frame_.draws += draws_.draws().size();
  frame_.bytes[trace::CodeOf(event)] += payload_size;
  DP2TRACE_RETURN_IF_ERROR(runner_.OnEvent(number, event));
  for (const Diagnostic& finding : findings_.items()) {
    if (Info(finding.rule).fault == Fault::kLimit) limits_.Add(finding);
  }
  findings_ = DiagnosticList();
  frame_.last_event = number;
  if (std::holds_alternative<trace::Present>(event)) EndFrame(number);
  return OkStatus();
}

void FrameCounter::Finish() {
  if (frame_.draws == 0) return;
  frame_.is_unfinished = true;
  EndFrame(frame_.last_event);
}

void FrameCounter::EndFrame(uint64_t event) {
  renderer_->Finish();
  const uint64_t pixels = renderer_->statistics().pixels;
  frame_.pixels = pixels - pixels_before_;
  pixels_before_ = pixels;
  if (options_.frames.Contains(frame_.number)) frames_.push_back(frame_);
  const uint64_t next = frame_.number + 1;
  frame_ = FrameStatistics();
  frame_.number = next;
  frame_.first_event = event + 1;
  textures_.clear();
  targets_.clear();
}

void FrameCounter::OnHeader(const trace::Header& header) {
  renderer_->SetClipsTransformedZ(
      replay::ClipsTransformedZ(header, options_.raster.clips_transformed_z));
}

Status FrameCounter::OnSessionEnd() {
  renderer_->Finish();
  return OkStatus();
}

void FrameCounter::OnCall(device::Context& context) {
  context_ = &context;
  renderer_->SetContext(context);
}

void FrameCounter::OnContext(const device::Context& /*context*/) {}

void FrameCounter::OnSet(const device::Context& context, const stream::Command& /*command*/,
                         device::StateKey key, const device::StateWords& words,
                         const device::StateBlock* /*block*/) {
  ++frame_.states_set;
  device::StateWords before = {};
  device::ReadState(context.state, key, before);
  const uint32_t count = device::WordCount(key.kind);
  if (std::equal(before.begin(), before.begin() + count, words.begin())) ++frame_.states_redundant;
}

void FrameCounter::NoteTargets() {
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    const device::SurfaceRef target = context_->Target(slot);
    if (!target) continue;
    const bool is_new =
        targets_.emplace(context_->space_id, target.resource->handle, target.face, target.level)
            .second;
    const image::Area area = target.surface().WholeLevel(target.level);
    if (is_new) frame_.target_pixels += uint64_t{area.width()} * area.height();
  }
}

// Those that the pixels of the draw sample: not all that are bound.
void FrameCounter::NoteTextures(const device::Draw& draw) {
  const raster::ShaderPair shaders = raster::ShadersOf(*context_, draw);
  if (draw.layout == nullptr || shaders.is_refused()) return;
  const auto plan = raster::MakeDrawPlan(*context_, draw, shaders, raster::VertexOutputs{}, {});
  if (!plan) return;
  for (const raster::Sampler* const sampler : raster::SamplersOf(*plan)) {
    const device::Resource& texture = sampler->resource();
    if (!textures_.emplace(context_->space_id, texture.handle).second) continue;
    ++frame_.textures;
    frame_.texture_bytes += texture.surface.size_bytes();
  }
}

void FrameCounter::OnDraw(const device::Draw& draw) {
  frame_.primitives += uint64_t{draw.primitive_count} * draw.instance_count;
  NoteTargets();
  NoteTextures(draw);
  renderer_->OnDraw(draw);
}

void FrameCounter::OnPatch(const device::PatchDraw& patch) {
  ++frame_.primitives;
  NoteTargets();
  NoteTextures(patch.points);
  renderer_->OnPatch(patch);
}

void FrameCounter::OnClear(const device::ClearDraw& clear) {
  renderer_->OnClear(clear);
}

}  // namespace dp2trace::debug
