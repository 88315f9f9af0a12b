#include "diff/transport.h"

#include <algorithm>
#include <array>
#include <variant>

#include "kmt/flags.h"
#include "stream/stream.h"
#include "trace/event_kind.h"

namespace dp2trace::diff {

namespace {

// Events of KMT objects have a process, and D3D contexts may name one.
bool HasProcess(const trace::Event& event) {
  return std::visit(
      [](const auto& e) {
        return requires {
          e.process;
        };
      },
      event);
}

}  // namespace

void Transports::Add(const trace::Event& event) {
  const bool is_call = std::holds_alternative<trace::Dp2>(event) ||
                       std::holds_alternative<trace::ContextCreate>(event);
  has_calls = has_calls || is_call;
  has_packets = has_packets || (!is_call && HasProcess(event));
}

std::optional<CarriedVertices> VerticesWith(const trace::Event& event) {
  CarriedVertices carried;
  if (const auto* const call = std::get_if<trace::Dp2>(&event)) {
    carried = {call->vertices, call->vertex_type, call->vertex_size};
  } else if (const auto* const packet = std::get_if<trace::Render>(&event);
             packet != nullptr && packet->dp2_env) {
    const trace::Dp2Env& environment = *packet->dp2_env;
    carried = {environment.vertices, environment.vertex_type, environment.vertex_size};
  }
  if (carried.bytes.empty()) return std::nullopt;
  return carried;
}

std::optional<MadeContext> ContextOf(const trace::Event& event) {
  if (const auto* const create = std::get_if<trace::ContextCreate>(&event))
    return MadeContext{create->runtime_version, create->target, create->depth, create->pure_device};
  const auto* const create = std::get_if<trace::KmtContextCreate>(&event);
  if (create == nullptr || !create->d3d) return std::nullopt;
  return MadeContext{create->d3d->runtime_version, create->d3d->target, create->d3d->depth,
                     create->d3d->pure_device};
}

// Packets with tokens are calls.
bool IsOfTransport(const trace::Event& event) {
  if (std::holds_alternative<trace::Render>(event)) return false;
  return std::holds_alternative<trace::ContextDestroy>(event) || HasProcess(event);
}

bool IsOfTransport(std::string_view header_field) {
  constexpr std::array<std::string_view, 4> kFields = {"pointer_width", "os_profile",
                                                       "length_origin", "dp2_handle_mode"};
  return std::ranges::find(kFields, header_field) != kFields.end();
}

bool IsOnlyRequest(const trace::Render& packet, const trace::CommandStream& stream) {
  constexpr uint32_t kResizes = kmt::render_flag::kResizeCommandBuffer |
                                kmt::render_flag::kResizeAllocationList |
                                kmt::render_flag::kResizePatchLocationList;
  if ((packet.flags & kResizes) == 0) return false;
  stream::Decoder decoder(stream.bytes, stream.environment, nullptr);
  stream::Command command;
  const bool is_target = decoder.Next(command) &&
                         (command.op->op == opcode::Op::kSetRenderTarget ||
                          command.op->op == opcode::Op::kSetRenderTarget2) &&
                         command.count == 1;
  return is_target && !decoder.Next(command);
}

}  // namespace dp2trace::diff
