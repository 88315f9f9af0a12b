#include "info/frame_statistics.h"

#include <variant>

#include "device/trace_work.h"
#include "raster/draw_plan.h"
#include "rules/rule_info.h"
#include "trace/event_kind.h"

namespace dp2trace::info {

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
    : options_(options), player_(options.play, {this, &tally_}) {
  frame_.number = 1;
}

Status FrameCounter::OnEvent(uint64_t number, const trace::Event& event, uint64_t payload_size) {
  if (player_.has_ended()) return OkStatus();  // nothing is known of the frames that follow
  frame_.bytes[trace::CodeOf(event)] += payload_size;
  return player_.OnEvent(number, event);
}

Status FrameCounter::BeforeEvent(const trace::Event& /*event*/) {
  frame_.draws += player_.draws().draws().size();
  return OkStatus();
}

Status FrameCounter::AfterEvent(const trace::Event& event) {
  for (const Diagnostic& finding : player_.findings().items()) {
    // Advice is about what changes no number.
    if (Info(finding.rule).fault == Fault::kLimit && finding.severity != Severity::kAdvice)
      limits_.Add(finding);
  }
  frame_.last_event = player_.position().event;
  if (std::holds_alternative<trace::Present>(event)) EndFrame(frame_.last_event);
  return OkStatus();
}

void FrameCounter::Finish() {
  if (frame_.draws == 0) return;
  frame_.is_unfinished = true;
  EndFrame(frame_.last_event);
}

void FrameCounter::EndFrame(uint64_t event) {
  player_.FinishDrawing();
  const uint64_t pixels = player_.drawing_statistics().pixels;
  frame_.pixels = pixels - pixels_before_;
  static_cast<Tally&>(frame_) = tally_.Take();
  pixels_before_ = pixels;
  if (options_.frames.Contains(frame_.number)) {
    frames_.push_back(frame_);
    (void)player_.device().work().Spend(device::kFrameRowSteps);
  }
  const uint64_t next = frame_.number + 1;
  frame_ = FrameStatistics();
  frame_.number = next;
  frame_.first_event = event + 1;
  textures_.clear();
  targets_.clear();
}

void FrameCounter::NoteTargets() {
  const device::Context* const context = player_.context();
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    const device::SurfaceRef target = context->Target(slot);
    if (!target) continue;
    const bool is_new =
        targets_.emplace(context->space_id, target.resource->handle, target.face, target.level)
            .second;
    const image::Area area = target.surface().WholeLevel(target.level);
    if (is_new) frame_.target_pixels += uint64_t{area.width()} * area.height();
  }
}

// Those that the pixels of the draw sample: not all that are bound.
void FrameCounter::NoteTextures(const device::Draw& draw) {
  const device::Context& context = *player_.context();
  const raster::ShaderPair shaders = raster::ShadersOf(context, draw);
  if (draw.layout == nullptr || shaders.is_refused()) return;
  const auto plan = raster::MakeDrawPlan(context, draw, shaders, raster::VertexOutputs{}, {});
  if (!plan) return;
  for (const raster::Sampler* const sampler : raster::SamplersOf(*plan)) {
    const device::Resource& texture = sampler->resource();
    if (!textures_.emplace(context.space_id, texture.handle).second) continue;
    ++frame_.textures;
    frame_.texture_bytes += texture.surface.size_bytes();
  }
}

bool FrameCounter::OnDraw(const device::Draw& draw) {
  NoteTargets();
  NoteTextures(draw);
  return true;
}

bool FrameCounter::OnPatch(const device::PatchDraw& patch) {
  NoteTargets();
  NoteTextures(patch.points);
  return true;
}

}  // namespace dp2trace::info
