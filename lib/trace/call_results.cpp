#include "trace/call_results.h"

#include <utility>

#include "trace/codec.h"

namespace dp2trace::trace {
namespace {

void Join(const CallResult& result, Event& call) {
  std::visit(
      [&result](auto& event) {
        if constexpr (requires { event.ddrval = result.ddrval; }) {
          event.ddrval = result.ddrval;
        } else if constexpr (requires { event.status = result.ddrval; }) {
          event.status = result.ddrval;
        }
      },
      call);
  if (auto* const dp2 = std::get_if<Dp2>(&call)) {
    dp2->error_offset = result.error_offset;
    dp2->flags_out = result.flags_out;
    dp2->commands_pointer_out = result.commands_pointer_out;
    dp2->vertices_pointer_out = result.vertices_pointer_out;
    dp2->response = result.response;
  } else if (auto* const render = std::get_if<Render>(&call)) {
    if (!result.raw_out.empty()) render->raw_out = result.raw_out;
    if (!result.out) return;
    render->out = result.out;
    render->queued_buffer_count = result.queued_buffer_count;
    render->new_command_buffer_out = result.new_command_buffer_out;
  }
}

}  // namespace

ResultState ResultStateOf(const Event& event) {
  const auto state = [](const std::optional<uint32_t>& result) {
    return result ? ResultState::kRecorded : ResultState::kAwaited;
  };
  return std::visit(
      [&state](const auto& e) {
        if constexpr (requires { e.ddrval.has_value(); }) {
          return state(e.ddrval);
        } else if constexpr (requires { e.status.has_value(); }) {
          return state(e.status);
        } else {
          return ResultState::kNoCall;
        }
      },
      event);
}

void JoinResult(const EventRecord& following, uint64_t session, EventRecord& call) {
  const auto* const result = std::get_if<CallResult>(&following.event);
  if (result != nullptr && result->call == call.number - session) Join(*result, call.event);
}

bool ResultJoiner::Fetch(EventRecord& record) {
  if (std::exchange(has_ahead_, false)) {
    record = std::move(ahead_);
    return true;
  }
  if (is_ended_) return false;
  is_ended_ = !source_(record);
  return !is_ended_;
}

bool ResultJoiner::Next(EventRecord& record) {
  if (!Fetch(record)) return false;
  if (std::holds_alternative<Header>(record.event)) session_ = record.number;
  if (ResultStateOf(record.event) != ResultState::kAwaited ||
      record.payload.size() > kMaxJoinedPayload)
    return true;
  // What the event points to ends with the next one: it gets bytes of its own.
  payload_.assign(record.payload.begin(), record.payload.end());
  if (payload_.empty()) EncodePayload(record.event, payload_);
  if (payload_.size() > kMaxJoinedPayload) return true;
  record.payload = payload_;
  DecodePayload(record.kind, record.flags, record.payload, record.event);
  if (is_ended_ || !source_(ahead_)) {
    is_ended_ = true;
    return true;
  }
  has_ahead_ = true;
  JoinResult(ahead_, session_, record);
  return true;
}

}  // namespace dp2trace::trace
