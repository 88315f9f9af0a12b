#include "replay/replayer.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "rules/rule.h"

namespace dp2trace::replay {
Replayer::Replayer(const Options& options, DiagnosticList& findings, ImageSink& images)
    : options_(options),
      findings_(&findings),
      images_(&images),
      player_({options.validation, options.renderer, options.raster}, findings,
              {this, options.listeners[0], options.listeners[1]}) {}

Status Replayer::OnEvent(uint64_t number, const trace::Event& event) {
  return statistics_.is_stopped ? OkStatus() : player_.OnEvent(number, event);
}

Status Replayer::BeforeEvent(const trace::Event& event) {
  ++statistics_.events;
  statistics_.draws = player_.draws().count();
  const bool is_call =
      std::holds_alternative<trace::Dp2>(event) || std::holds_alternative<trace::Render>(event);
  if (is_call) ++statistics_.calls;
  return OkStatus();
}

Status Replayer::AfterEvent(const trace::Event& /*event*/) {
  if (options_.surface && options_.surface_at &&
      options_.surface_at->Contains(player_.position().event)) {
    for (const auto& [id, space] : device().spaces())
      DP2TRACE_RETURN_IF_ERROR(MakeSurface(id, true));
  }
  has_shown_all_ = options_.stops_when_shown && HasShownAll();
  statistics_.is_stopped = has_shown_all_ || player_.has_ended() ||
                           (options_.is_strict && findings_->count(Severity::kError) != 0);
  return OkStatus();
}

// Reads that nobody chose come along with what was.
bool Replayer::HasShownAll() const {
  const auto is_past = [](const std::optional<Selection>& chosen, uint64_t next) {
    return !chosen || chosen->IsPast(next);
  };
  return options_.frames.IsPast(statistics_.frames + 1) &&
         is_past(options_.reads, statistics_.reads + 1) &&
         is_past(options_.draws, statistics_.draws + 1) &&
         (!options_.surface ||
          (options_.surface_at && options_.surface_at->IsPast(player_.position().event + 1)));
}

Status Replayer::OnApplied(device::Context& context, const stream::Command& command) {
  ++statistics_.commands;
  const uint64_t number = player_.position().draw;
  if (!command.op->is(opcode::kDraw) || !options_.draws || !options_.draws->Contains(number))
    return OkStatus();
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    const device::SurfaceRef surface = context.Target(slot);
    const auto area = surface ? AreaOf(surface, std::nullopt) : std::nullopt;
    if (!area) continue;
    PictureRequest request = RequestOf(ImageKind::kDraw, number, context.space_id,
                                       context.targets.colors[slot], surface);
    request.target = slot;
    request.area = *area;
    DP2TRACE_RETURN_IF_ERROR(MakePictures(device(), request, *images_));
  }
  return OkStatus();
}

void Replayer::Report(Rule rule, std::string message) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  player_.execution_findings().Add(std::move(finding));
}

Status Replayer::Finish() {
  player_.FinishDrawing();
  // What the rest of the trace would have done is not known.
  if (!has_shown_all_) player_.Finish();
  DP2TRACE_RETURN_IF_ERROR(MakeUnfinished());
  return MakeLiveSurfaces();
}

Status Replayer::MakeUnfinished() {
  const std::optional<play::DrawnTarget>& drawn = player_.drawn_target();
  if (!drawn) return OkStatus();
  ++statistics_.frames;
  device::Space* const space = player_.device().FindSpace(drawn->space);
  const device::SurfaceRef surface =
      space != nullptr ? space->Find(drawn->handle) : device::SurfaceRef{};
  const auto area = surface ? AreaOf(surface, std::nullopt) : std::nullopt;
  if (!area || !options_.frames.Contains(statistics_.frames)) return OkStatus();
  PictureRequest request =
      RequestOf(ImageKind::kFrame, statistics_.frames, drawn->space, drawn->handle, surface);
  request.event = player_.drawn_event();
  request.area = *area;
  request.is_unfinished = true;
  return MakePictures(device(), request, *images_);
}

// Drawing that was not presented belongs to a frame that never came to its end: only the last one of the trace is shown.
Status Replayer::OnSessionEnd() {
  return MakeLiveSurfaces();
}

// The chosen surface at the end of its life, in all spaces.
Status Replayer::MakeLiveSurfaces() {
  if (!options_.surface || options_.surface_at) return OkStatus();
  for (const auto& [id, space] : player_.device().spaces())
    DP2TRACE_RETURN_IF_ERROR(MakeSurface(id, false));
  return OkStatus();
}

PictureRequest Replayer::RequestOf(ImageKind kind, uint64_t sequence, uint32_t space,
                                   uint32_t handle, const device::SurfaceRef& surface) const {
  PictureRequest request;
  request.kind = kind;
  request.sequence = sequence;
  request.event = player_.position().event;
  request.space = space;
  request.handle = handle;
  request.surface = surface;
  return request;
}

Status Replayer::MakeSurface(uint32_t space_id, bool names_event) {
  const device::SurfaceRef surface = player_.device().FindSpace(space_id)->Find(*options_.surface);
  if (!surface) return OkStatus();
  PictureRequest request =
      RequestOf(ImageKind::kSurface, ++surface_pictures_, space_id, *options_.surface, surface);
  request.names_event = names_event;
  return MakeSurfacePictures(device(), request, *images_);
}

Status Replayer::BeforeDestroy(const trace::SurfaceDestroy& destroy) {
  const device::Space* const space = device().FindSpace(destroy.space);
  const device::SurfaceRef surface =
      space != nullptr ? space->Find(destroy.handle) : device::SurfaceRef{};
  const bool is_chosen = surface && options_.surface && !options_.surface_at &&
                         space->Find(*options_.surface).resource == surface.resource;
  return is_chosen ? MakeSurface(destroy.space, false) : OkStatus();
}

Status Replayer::OnPresent(const trace::Present& present) {
  ++statistics_.frames;
  if (!options_.frames.Contains(statistics_.frames)) return OkStatus();
  device::Space* const space = player_.device().FindSpace(present.space);
  const device::SurfaceRef surface =
      space != nullptr ? space->Find(present.handle) : device::SurfaceRef{};
  if (!surface) return OkStatus();  // the rules about handles say so
  const auto area = AreaOf(surface, present.rect);
  if (!area) return OkStatus();
  PictureRequest request =
      RequestOf(ImageKind::kFrame, statistics_.frames, present.space, present.handle, surface);
  request.area = *area;
  return MakePictures(device(), request, *images_);
}

Status Replayer::OnRead(const trace::SurfaceRead& read) {
  statistics_.reads = player_.reads();
  device::Space* const space = player_.device().FindSpace(read.space);
  device::SurfaceRef surface = space != nullptr ? space->Find(read.handle) : device::SurfaceRef{};
  if (surface) {
    // Numbers beside a sub-level's own handle count from that level.
    surface.face = std::max(surface.face, read.face);
    surface.level += read.level;
  }
  if (!surface) return OkStatus();  // the rules about handles say so
  if (!surface.surface().HasLevel(surface.face, surface.level)) {
    Report(Rule::kReplayPicture001,
           fmt::format("read of surface {} (face {}, level {}), which does not exist", read.handle,
                       read.face, read.level));
    return OkStatus();
  }
  if (read.range) return OkStatus();  // bytes of a buffer
  if (options_.reads && !options_.reads->Contains(statistics_.reads)) return OkStatus();
  const auto area = read.box ? AreaOf(surface, *read.box) : AreaOf(surface, read.rect);
  if (!area) return OkStatus();
  PictureRequest request =
      RequestOf(ImageKind::kRead, statistics_.reads, read.space, read.handle, surface);
  request.area = *area;
  return MakePictures(device(), request, *images_);
}

}  // namespace dp2trace::replay
