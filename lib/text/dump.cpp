#include "text/dump.h"

#include <fmt/format.h>

#include <utility>

#include "text/command.h"
#include "text/fields.h"
#include "text/packet_lists.h"
#include "text/shader.h"
#include "text/value.h"
#include "trace/event_kind.h"

namespace dp2trace::text {
namespace {

// Text is handed to the sink in pieces of about this size.
constexpr size_t kPieceSize = 64 * 1024;

std::string_view Describe(stream::StreamEnd end) {
  switch (end) {
    case stream::StreamEnd::kRunning:
    case stream::StreamEnd::kComplete:
      break;
    case stream::StreamEnd::kExitToken:
      return "after the exit token";
    case stream::StreamEnd::kTrailingBytes:
      return "trailing";
    case stream::StreamEnd::kUnknownOperation:
      return "unknown operation";
    case stream::StreamEnd::kTruncated:
      return "truncated command";
    case stream::StreamEnd::kUnknownLength:
      return "command of unknown length";
  }
  return "";
}

}  // namespace

bool EventFilter::Accepts(uint64_t number, const trace::Event& event) {
  naming_.Apply(event);
  const uint64_t frame = this->frame();
  frames_.Add(event);
  next_event_ = number + 1;
  if (!options_.events.Contains(number) || !options_.frames.Contains(frame)) return false;
  const bool has_named = options_.operations.any() || !options_.kinds.empty();
  if (options_.draws.is_all()) {
    return !has_named || options_.kinds.contains(trace::CodeOf(event)) || HasShownCommand(event);
  }
  return HasShownCommand(event);
}

bool EventFilter::Shows(const stream::Command& command) const {
  if (!options_.draws.is_all()) {
    const trace::DrawToken* const draw = draws().Find(command.offset);
    if (draw == nullptr || !options_.draws.Contains(draw->number)) return false;
  }
  return options_.operations.none() || options_.operations.test(command.bytes[0]);
}

bool EventFilter::HasShownCommand(const trace::Event& event) const {
  // Named events, but no named operation: no event is shown for its commands.
  if (options_.operations.none() && options_.draws.is_all()) return false;
  const std::optional<trace::CommandStream> commands =
      trace::StreamOf(event, naming_.length_origin());
  if (!commands) return false;
  stream::Decoder decoder(commands->bytes, commands->environment, nullptr);
  stream::Command command;
  while (decoder.Next(command)) {
    if (Shows(command)) return true;
  }
  return false;
}

Status Dumper::Add(uint64_t number, const trace::Event& event) {
  if (!filter_.Accepts(number, event)) return OkStatus();
  ++count_;
  AppendEvent(number, event);
  DP2TRACE_RETURN_IF_ERROR(EndLine());
  DP2TRACE_RETURN_IF_ERROR(AppendCommands(event));
  if (const auto* packet = std::get_if<trace::Render>(&event)) {
    AppendAllocationList(text_, packet->allocation_list);
    AppendPatchList(text_, packet->patch_location_list);
  }
  return OkStatus();
}

void Dumper::AppendEvent(uint64_t number, const trace::Event& event) {
  const auto* unknown = std::get_if<trace::Unknown>(&event);
  const bool is_known_kind = unknown != nullptr && trace::FindEventKind(unknown->kind).has_value();
  text_ += fmt::format("{} {}", number,
                       unknown != nullptr ? "unknown" : trace::EventName(trace::CodeOf(event)));
  if (is_known_kind) text_ += fmt::format(" damaged={}", trace::EventName(unknown->kind));
  AppendFields(text_, event);
}

Status Dumper::AppendCommands(const trace::Event& event) {
  const std::optional<trace::CommandStream> commands =
      trace::StreamOf(event, filter_.naming().length_origin());
  if (!commands) return OkStatus();
  const uint32_t runtime_version = filter_.naming().RuntimeVersion(event);
  stream::Decoder decoder(commands->bytes, commands->environment, nullptr);
  stream::Command command;
  while (decoder.Next(command)) {
    if (!filter_.Shows(command)) continue;
    const trace::DrawToken* const draw = filter_.draws().Find(command.offset);
    text_ += "  ";
    AppendNumbered(text_, command, commands->environment, runtime_version, draw);
    DP2TRACE_RETURN_IF_ERROR(EndLine());
    if (filter_.shows_shaders()) AppendShaders(text_, command, commands->environment);
    filter_.AppendBelow(text_, draw);
  }
  if (decoder.rest().empty()) return OkStatus();
  text_ += fmt::format("  {:#06x} ({}) ", decoder.rest_offset(), Describe(decoder.end()));
  AppendBytes(text_, decoder.rest());
  return EndLine();
}

Status Dumper::EndLine() {
  text_ += '\n';
  return text_.size() < kPieceSize ? OkStatus() : Finish();
}

Status Dumper::Finish() {
  const Status status = sink_(text_);
  text_.clear();
  return status;
}

}  // namespace dp2trace::text
