#include "validate/validator.h"

#include <algorithm>
#include <variant>

#include "validate/rules_stream.h"

namespace dp2trace::validate {

Validator::Validator(const Options& options, DiagnosticList& findings)
    : options_(options), out_(&findings), profile_(trace::Header{}) {}

void Validator::OnEvent(uint64_t number, const trace::Event& event) {
  EventFindings findings(*out_, number, options_.max_repeats);
  if (const auto* header = std::get_if<trace::Header>(&event)) {
    OnHeader(*header, findings);
  } else if (const auto* call = std::get_if<trace::Dp2>(&event)) {
    OnDp2(*call, findings);
  } else if (const auto* render = std::get_if<trace::Render>(&event)) {
    OnRender(*render, findings);
  }
}

void Validator::Finish() {}

void Validator::OnHeader(const trace::Header& header, EventFindings& findings) {
  profile_ = PacketProfile(header);
  CheckPointerWidth(profile_, findings);
}

void Validator::OnDp2(const trace::Dp2& call, EventFindings& findings) {
  const bool is_incomplete = CheckStoredBytes(call, findings);
  const uint64_t size = std::min<uint64_t>(call.commands.size(), call.command_length.value_or(UINT32_MAX));
  CheckStream({.bytes = call.commands.first(static_cast<size_t>(size)),
               .command_offset = call.command_offset,
               .vertex_size = call.vertex_size,
               .transport = Transport::kDp2Call,
               .is_incomplete = is_incomplete},
              findings);
}

void Validator::OnRender(const trace::Render& render, EventFindings& findings) {
  if (!CheckPacket(render, profile_, is_padding_reported_, findings)) return;
  if (render.payload != trace::PayloadKind::kDp2) return;
  const Extent extent = CommandExtent(render, profile_);  // ends with the buffer: KMT-DEC-004
  if (extent.begin > extent.end) return;                  // KMT-RENDER-010: the payload is skipped
  CheckStream({.bytes = render.command_buffer.subspan(static_cast<size_t>(extent.begin)),
               .command_offset = extent.begin,
               .vertex_size = render.dp2_env.has_value() ? render.dp2_env->vertex_size : 0,
               .transport = Transport::kPacket},
              findings);
}

}  // namespace dp2trace::validate
