#include "replay/replayer.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <variant>

#include "d3d/caps.h"
#include "kmt/lists.h"
#include "kmt/ntstatus.h"
#include "validate/rules_packet.h"

namespace dp2trace::replay {
namespace {

constexpr uint32_t kWasStillDrawing = 0x8876021C;  // DDERR_WASSTILLDRAWING

constexpr uint32_t kClipTlVerts = 0x200;        // D3DPMISCCAPS_CLIPTLVERTS

// What the device of the trace says about transformed vertices; the default where it says nothing. Source: rendering specification, 1.7.
bool ClipsTransformedZ(const trace::Header& header, bool default_value) {
  for (const trace::CapValue& cap : header.caps) {
    if (cap.name == d3d::Info(d3d::Cap::PrimitiveMiscCaps).name) return (cap.value & kClipTlVerts) != 0;
  }
  return default_value;
}


}  // namespace

Replayer::Replayer(const Options& options, DiagnosticList& findings, ImageSink& images)
    : options_(options),
      findings_(&findings),
      images_(&images),
      validator_({}, findings),
      device_(options.device, findings),
      renderer_(options.raster, findings) {}

Status Replayer::OnEvent(uint64_t number, const trace::Event& event) {
  if (statistics_.is_stopped) return OkStatus();
  event_ = number;
  errors_before_ = findings_->count(Severity::kError);
  ++statistics_.events;
  validator_.OnEvent(number, event);
  DP2TRACE_RETURN_IF_ERROR(Execute(event));
  if (options_.surface && options_.surface_at && options_.surface_at->Contains(number)) {
    for (const auto& [id, space] : device_.spaces()) DP2TRACE_RETURN_IF_ERROR(MakeSurface(id, true));
  }
  statistics_.is_stopped = options_.is_strict && findings_->count(Severity::kError) != 0;
  return OkStatus();
}

Status Replayer::Execute(const trace::Event& event) {
  return std::visit(
      [this](const auto& e) -> Status {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Header>) {
          device_.OnHeader(e, options_.level);
          renderer_.SetClipsTransformedZ(ClipsTransformedZ(e, options_.raster.clips_transformed_z));
        } else if constexpr (std::is_same_v<T, trace::ContextCreate>) {
          device_.OnContextCreate(event_, e);
        } else if constexpr (std::is_same_v<T, trace::ContextDestroy>) {
          device_.OnContextDestroy(event_, e);
        } else if constexpr (std::is_same_v<T, trace::SurfaceCreate>) {
          device_.OnSurfaceCreate(event_, e);
        } else if constexpr (std::is_same_v<T, trace::SurfaceDestroy>) {
          return OnDestroy(e);
        } else if constexpr (std::is_same_v<T, trace::SurfaceUpdate>) {
          device_.OnSurfaceUpdate(event_, e);
        } else if constexpr (std::is_same_v<T, trace::SurfaceRead>) {
          return OnRead(e);
        } else if constexpr (std::is_same_v<T, trace::Dp2>) {
          return OnDp2(e);
        } else if constexpr (std::is_same_v<T, trace::Render>) {
          return OnRender(e);
        } else if constexpr (std::is_same_v<T, trace::Blt>) {
          if (!device::HasFailed(e.ddrval)) device_.OnBlt(event_, e);
        } else if constexpr (std::is_same_v<T, trace::Present>) {
          return OnPresent(e);
        } else if constexpr (std::is_same_v<T, trace::DeviceCreate>) {
          kmt_.OnDeviceCreate(e);
        } else if constexpr (std::is_same_v<T, trace::KmtContextCreate>) {
          if (const auto create = kmt_.OnContextCreate(e)) device_.OnContextCreate(event_, *create);
        } else if constexpr (std::is_same_v<T, trace::KmtContextDestroy>) {
          if (const auto destroy = kmt_.OnContextDestroy(e)) device_.OnContextDestroy(event_, *destroy);
        } else if constexpr (std::is_same_v<T, trace::Dp2Bind>) {
          kmt_.OnBind(e);
        } else if constexpr (std::is_same_v<T, trace::Dp2Unbind>) {
          kmt_.OnUnbind(e);
        }
        return OkStatus();
      },
      event);
}

Status Replayer::Finish() {
  validator_.Finish();
  if (unpresented_) {
    ++statistics_.frames;
    device::Space* const space = device_.FindSpace(unpresented_->space);
    const device::SurfaceRef surface = space != nullptr ? space->Find(unpresented_->target) : device::SurfaceRef{};
    const auto area = surface ? AreaOf(surface, std::nullopt) : std::nullopt;
    if (area && options_.frames.Contains(statistics_.frames)) {
      PictureRequest request = RequestOf(ImageKind::kFrame, statistics_.frames, unpresented_->space, unpresented_->target, surface);
      request.event = unpresented_->event;
      request.area = *area;
      request.is_unfinished = true;
      DP2TRACE_RETURN_IF_ERROR(MakePictures(device_, request, *images_));
    }
  }
  if (!options_.surface || options_.surface_at) return OkStatus();
  for (const auto& [id, space] : device_.spaces()) DP2TRACE_RETURN_IF_ERROR(MakeSurface(id, false));
  return OkStatus();
}

PictureRequest Replayer::RequestOf(ImageKind kind, uint64_t sequence, uint32_t space, uint32_t handle, const device::SurfaceRef& surface) const {
  PictureRequest request;
  request.kind = kind;
  request.sequence = sequence;
  request.event = event_;
  request.space = space;
  request.handle = handle;
  request.surface = surface;
  return request;
}

Status Replayer::MakeSurface(uint32_t space_id, bool names_event) {
  const device::SurfaceRef surface = device_.FindSpace(space_id)->Find(*options_.surface);
  if (!surface) return OkStatus();
  PictureRequest request = RequestOf(ImageKind::kSurface, ++surface_pictures_, space_id, *options_.surface, surface);
  request.names_event = names_event;
  return MakeSurfacePictures(device_, request, *images_);
}

Status Replayer::OnDestroy(const trace::SurfaceDestroy& destroy) {
  const device::Space* const space = device_.FindSpace(destroy.space);
  const device::SurfaceRef surface = space != nullptr ? space->Find(destroy.handle) : device::SurfaceRef{};
  const bool is_chosen = surface && options_.surface && !options_.surface_at &&
                         space->Find(*options_.surface).resource == surface.resource;
  if (is_chosen) DP2TRACE_RETURN_IF_ERROR(MakeSurface(destroy.space, false));
  device_.OnSurfaceDestroy(event_, destroy);
  return OkStatus();
}

Status Replayer::OnPresent(const trace::Present& present) {
  ++statistics_.frames;
  unpresented_.reset();
  if (!options_.frames.Contains(statistics_.frames)) return OkStatus();
  device::Space* const space = device_.FindSpace(present.space);
  const device::SurfaceRef surface = space != nullptr ? space->Find(present.handle) : device::SurfaceRef{};
  if (!surface) {
    Diagnostic finding = MakeDiagnostic(Rule::kReplayPicture001, fmt::format("present of surface {}, which does not exist", present.handle));
    finding.event = event_;
    findings_->Add(std::move(finding));
    return OkStatus();
  }
  const auto area = AreaOf(surface, present.rect);
  if (!area) return OkStatus();
  PictureRequest request = RequestOf(ImageKind::kFrame, statistics_.frames, present.space, present.handle, surface);
  request.area = *area;
  return MakePictures(device_, request, *images_);
}

Status Replayer::OnRead(const trace::SurfaceRead& read) {
  ++statistics_.reads;
  device::Space* const space = device_.FindSpace(read.space);
  device::SurfaceRef surface = space != nullptr ? space->Find(read.handle) : device::SurfaceRef{};
  if (surface) {
    // Numbers beside a sub-level's own handle count from that level.
    surface.face = std::max(surface.face, read.face);
    surface.level += read.level;
  }
  if (!surface || !surface.surface().HasLevel(surface.face, surface.level)) {
    Diagnostic finding = MakeDiagnostic(Rule::kReplayPicture001,
                                        fmt::format("read of surface {} (face {}, level {}), which does not exist", read.handle, read.face, read.level));
    finding.event = event_;
    findings_->Add(std::move(finding));
    return OkStatus();
  }
  if (read.range) return OkStatus();  // bytes of a buffer
  const auto area = read.box ? AreaOf(surface, *read.box) : AreaOf(surface, read.rect);
  if (!area) return OkStatus();
  PictureRequest request = RequestOf(ImageKind::kRead, statistics_.reads, read.space, read.handle, surface);
  request.area = *area;
  return MakePictures(device_, request, *images_);
}

void Replayer::ReportUnknownContext(uint64_t context) {
  Diagnostic finding = MakeDiagnostic(Rule::kReplayContext001, fmt::format("context {:#x} does not exist", context));
  finding.event = event_;
  findings_->Add(std::move(finding));
}

Status Replayer::OnDp2(const trace::Dp2& call) {
  ++statistics_.calls;
  if (call.ddrval == kWasStillDrawing) return OkStatus();
  device::Context* const context = device_.FindContext(call.space, call.context);
  if (context == nullptr) {
    ReportUnknownContext(call.context);
    return OkStatus();
  }
  const uint64_t end = device::HasFailed(call.ddrval) ? call.error_offset : UINT64_MAX;
  const uint64_t size = std::min<uint64_t>(call.command_length.value_or(UINT32_MAX), call.commands.size());
  return Run(*context, device_.MakeCall(event_, *context, call), call.commands.first(size), end);
}

Status Replayer::OnRender(const trace::Render& render) {
  ++statistics_.calls;
  if (render.payload != trace::PayloadKind::kDp2) return OkStatus();
  const bool has_failed = render.status ? !kmt::IsSuccess(*render.status) : findings_->count(Severity::kError) != errors_before_;
  if (has_failed) return OkStatus();
  const auto key = kmt_.FindContext(render.process, render.context);
  device::Context* const context = key ? device_.FindContext(key->space, key->id) : nullptr;
  if (context == nullptr) {
    ReportUnknownContext(render.context);
    return OkStatus();
  }
  // The call that the packet stands for (D3DKMT_RENDER specification, 6.7).
  trace::Dp2 call;
  call.space = key->space;
  call.context = key->id;
  call.command_offset = render.command_offset;
  if (render.dp2_env) {
    call.flags = render.dp2_env->flags;
    call.vertex_type = render.dp2_env->vertex_type;
    call.vertex_size = render.dp2_env->vertex_size;
    call.vertex_offset = render.dp2_env->vertex_offset;
    call.vertex_length = render.dp2_env->vertex_length;
    call.vertices = render.dp2_env->vertices;
    const uint64_t at = uint64_t{render.dp2_env->allocation_index} * kmt::kAllocationElementSize;
    if (render.dp2_env->vertex_source == trace::VertexSource::kAllocation && at + 4 <= render.allocation_list.size()) {
      const auto [handle, base] = kmt_.HandleOf(render.process, render.context, LoadU32(&render.allocation_list[at]));
      call.vertex_buffer = handle;
      call.vertex_offset += static_cast<uint32_t>(base);
    }
  }
  const validate::Extent extent = validate::CommandExtent(render, validate::PacketProfile(device_.header()));
  const uint64_t end = std::min<uint64_t>(extent.end, render.command_buffer.size());
  if (extent.begin >= end) return OkStatus();
  return Run(*context, device_.MakeCall(event_, *context, call), render.command_buffer.subspan(extent.begin, end - extent.begin),
             UINT64_MAX);
}

Status Replayer::Run(device::Context& context, const device::Call& call, Bytes commands, uint64_t end_offset) {
  renderer_.SetContext(context);
  stream::Decoder decoder(commands, call.environment, nullptr);  // framing is the validator's to report
  for (stream::Command command; decoder.Next(command);) {
    if (command.offset >= end_offset) break;
    device_.Apply(context, call, command, renderer_);
    ++statistics_.commands;
    if (command.op->is(opcode::kDraw)) DP2TRACE_RETURN_IF_ERROR(CountDraw(context));
  }
  return OkStatus();
}

Status Replayer::CountDraw(const device::Context& context) {
  ++statistics_.draws;
  unpresented_ = LastDraw{context.space_id, context.targets.colors[0], event_};
  if (!options_.draws || !options_.draws->Contains(statistics_.draws)) return OkStatus();
  for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
    const device::SurfaceRef surface = context.Target(slot);
    const auto area = surface ? AreaOf(surface, std::nullopt) : std::nullopt;
    if (!area) continue;
    PictureRequest request = RequestOf(ImageKind::kDraw, statistics_.draws, context.space_id, context.targets.colors[slot], surface);
    request.target = slot;
    request.area = *area;
    DP2TRACE_RETURN_IF_ERROR(MakePictures(device_, request, *images_));
  }
  return OkStatus();
}

}  // namespace dp2trace::replay
