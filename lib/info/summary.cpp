#include "info/summary.h"

#include <algorithm>
#include <type_traits>

#include "trace/event_kind.h"

namespace dp2trace::info {
namespace {

// Surfaces of a trace that never destroys one are not followed without bound.
constexpr size_t kMaxAlive = 1 << 18;

uint64_t AliveKey(uint32_t space, uint32_t handle) {
  return uint64_t{space} << 32 | handle;
}

// Both HRESULT and NTSTATUS: an error has the sign bit. (NTSTATUS warnings, 0x8..., count as failures here: nothing was done.)
bool IsFailure(const std::optional<uint32_t>& result) {
  return result && (*result & 0x80000000) != 0;
}

bool HasFailed(const trace::Event& event) {
  return std::visit(
      [](const auto& structure) {
        if constexpr (requires { structure.status; }) {
          return IsFailure(structure.status);
        } else if constexpr (requires { structure.ddrval; }) {
          return IsFailure(structure.ddrval);
        } else {
          return false;
        }
      },
      event);
}

uint64_t RecordCount(const stream::Command& command) {
  const bool is_first_in_fixed = command.op->first_record_field != opcode::kNoField;
  return uint64_t{command.op->RecordCount(command.count)} + (is_first_in_fixed ? 1 : 0);
}

}  // namespace

void Summarizer::Add(uint64_t number, const trace::Event& event, uint64_t payload_size) {
  naming_.Apply(event);
  AddDraws(event);
  AddKind(number, event, payload_size);
  Inspect(event);
  if (HasFailed(event)) ++summary_.status_failures;
  if (const auto commands = trace::StreamOf(event, naming_.length_origin())) AddStream(*commands);
}

void Summarizer::AddDraws(const trace::Event& event) {
  frames_.Add(event);
  summary_.draws = frames_.draws().count();
  summary_.frames = frames_.presents();
  summary_.has_unfinished_frame = frames_.is_unfinished();
}

void Summarizer::AddKind(uint64_t number, const trace::Event& event, uint64_t payload_size) {
  ++summary_.event_count;
  summary_.event_bytes += payload_size;
  if (payload_size > summary_.largest_event_bytes) {
    summary_.largest_event = number;
    summary_.largest_event_bytes = payload_size;
  }
  KindSummary& kind = summary_.kinds[trace::CodeOf(event)];
  ++kind.count;
  kind.bytes += payload_size;
  kind.largest = std::max(kind.largest, payload_size);
}

void Summarizer::AddStream(const trace::CommandStream& commands) {
  summary_.command_bytes += commands.bytes.size();
  stream::Decoder decoder(commands.bytes, commands.environment, nullptr);
  stream::Command command;
  while (decoder.Next(command)) {
    OperationSummary& operation = summary_.operations[command.bytes[0]];
    ++operation.commands;
    operation.records += RecordCount(command);
    operation.bytes += command.bytes.size();
    ++summary_.commands;
    summary_.operation_level = std::max<uint32_t>(summary_.operation_level, command.op->level);
  }
  if (!decoder.rest().empty()) ++summary_.unframed_streams;
}

void Summarizer::AddSurface(const trace::SurfaceCreate& surface) {
  ++summary_.surfaces;
  summary_.sub_handles += static_cast<uint64_t>(
      std::count_if(surface.sub_surfaces.begin(), surface.sub_surfaces.end(),
                    [](const trace::SubSurface& sub) { return sub.handle != 0; }));
  if (alive_.size() < kMaxAlive) alive_.insert(AliveKey(surface.space, surface.handle));
  summary_.peak_surfaces = std::max<uint64_t>(summary_.peak_surfaces, alive_.size());
}

void Summarizer::Inspect(const trace::Event& event) {
  if (const auto* header = std::get_if<trace::Header>(&event)) {
    ++summary_.sessions;
    alive_.clear();
    if (summary_.header) return;
    HeaderSummary copy{*header, std::string(header->generator),
                       header->caps.size() + header->raw_caps.size() / 4};
    copy.values.generator = {};
    copy.values.caps.clear();
    copy.values.raw_caps = {};
    summary_.header = std::move(copy);
  } else if (const auto* context = std::get_if<trace::ContextCreate>(&event)) {
    ++summary_.contexts;
    summary_.runtime_versions |= uint32_t{1} << std::min(context->runtime_version, 31u);
  } else if (const auto* kmt_context = std::get_if<trace::KmtContextCreate>(&event)) {
    ++summary_.kmt_contexts;
    if (kmt_context->d3d)
      summary_.runtime_versions |= uint32_t{1} << std::min(kmt_context->d3d->runtime_version, 31u);
  } else if (const auto* surface = std::get_if<trace::SurfaceCreate>(&event)) {
    AddSurface(*surface);
  } else if (const auto* destroyed = std::get_if<trace::SurfaceDestroy>(&event)) {
    alive_.erase(AliveKey(destroyed->space, destroyed->handle));
  } else if (const auto* update = std::get_if<trace::SurfaceUpdate>(&event)) {
    summary_.surface_bytes += update->data.size();
  } else if (std::holds_alternative<trace::SurfaceRead>(event)) {
    ++summary_.reads;
  } else if (const auto* call = std::get_if<trace::Dp2>(&event)) {
    summary_.vertex_bytes += call->vertices.size();
  } else if (const auto* packet = std::get_if<trace::Render>(&event)) {
    if (packet->dp2_env) summary_.vertex_bytes += packet->dp2_env->vertices.size();
  } else if (const auto* allocated = std::get_if<trace::AllocationCreate>(&event)) {
    summary_.allocations += allocated->allocations.size();
  } else if (const auto* unknown = std::get_if<trace::Unknown>(&event)) {
    if (trace::FindEventKind(unknown->kind)) ++summary_.damaged_events;
  }
}

}  // namespace dp2trace::info
