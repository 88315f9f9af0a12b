#include "verify/recording_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "trace/call_results.h"
#include "trace/event_kind.h"

namespace dp2trace::verify {
namespace {

using trace::ResultState;

// Calls without a result, of each type of event. In a recording of several threads some always wait for theirs.
constexpr size_t kMostNamed = 64;

// Between a call and the crash in it nothing is recorded but these.
bool IsRemark(const trace::Event& event) {
  return std::holds_alternative<trace::Marker>(event) || std::holds_alternative<trace::Lost>(event);
}

// What is recorded before a driver has returned from anything. A header is no call, and a surface has no result.
bool IsBeginning(const trace::Event& event) {
  return std::holds_alternative<trace::Header>(event) ||
         std::holds_alternative<trace::SurfaceCreate>(event);
}

std::string_view Describe(trace::LostCause cause) {
  switch (cause) {
    case trace::LostCause::kWrite:
      return "its append function failed (that of a ring refuses what is larger than the ring)";
    case trace::LostCause::kSize:
      return "an event did not fit into 4 GiB";
    case trace::LostCause::kBusy:
      return "a second thread, or the append function itself, called it while it recorded another event";
    case trace::LostCause::kArgument:
      return "a call gave no event, or a count without what it counts";
    case trace::LostCause::kFault:
      return "memory that it read was not there";
    case trace::LostCause::kLimit:
      return "they are larger than the limit that it was given";
    case trace::LostCause::kRoom:
      return "more surfaces, locks, devices or contexts live at once than it has room for";
    case trace::LostCause::kNone:
      break;
  }
  return "it does not say why";
}

}  // namespace

std::string RecordingEnd::DescribeDraws() const {
  const std::vector<trace::DrawToken>& draws = draws_.draws();
  if (draws.empty()) return {};
  if (draws.size() == 1) return fmt::format(" (draw {}, {})", draws[0].number, draws[0].op->name);
  return fmt::format(" (draws {} to {}, the first {})", draws.front().number, draws.back().number,
                     draws.front().op->name);
}

void RecordingEnd::AddLost(uint64_t number, const trace::Lost& lost) {
  if (!lost_) lost_ = Losses{.first = number, .cause = lost.cause};
  lost_->last = number;
  ++lost_->places;
  lost_->events += lost.events;
}

void RecordingEnd::OnEvent(uint64_t number, const trace::Event& event) {
  draws_.Add(event);
  if (IsBeginning(event)) {
    beginning_ = Last{.event = number, .name = trace::EventName(trace::CodeOf(event))};
  } else if (!std::holds_alternative<trace::Marker>(event)) {
    has_begun_ = true;
  }
  if (const auto* const surface = std::get_if<trace::SurfaceCreate>(&event))
    surfaces_[{surface->space, surface->handle}] = number;
  if (const auto* const gone = std::get_if<trace::SurfaceDestroy>(&event))
    surfaces_.erase({gone->space, gone->handle});
  if (const auto* const context = std::get_if<trace::ContextCreate>(&event))
    contexts_[{context->space, context->context}] = number;
  if (const auto* const lost = std::get_if<trace::Lost>(&event)) AddLost(number, *lost);
  if (IsRemark(event)) {
    if (open_ && std::holds_alternative<trace::Lost>(event)) open_->is_lost = true;
    return;
  }
  if (open_) Close(*std::exchange(open_, std::nullopt));
  if (std::holds_alternative<trace::Header>(event)) session_ = number;
  if (const auto* const result = std::get_if<trace::CallResult>(&event))
    Answer(session_ + result->call);
  const ResultState state = trace::ResultStateOf(event);
  if (state == ResultState::kRecorded) ++calls_[event.index()].answered;
  if (state == ResultState::kAwaited)
    open_ = OpenCall{.event = number,
                     .kind = event.index(),
                     .what = std::string(trace::EventName(trace::CodeOf(event))) + DescribeDraws(),
                     .is_after = std::holds_alternative<trace::ContextCreate>(event)};
}

// Another event follows the call. Its result may still come, as where several threads record.
void RecordingEnd::Close(const OpenCall& call) {
  if (call.is_lost) return;
  Calls& calls = calls_[call.kind];
  ++calls.unanswered;
  if (calls.named.size() < kMostNamed) calls.named.push_back(call);
}

void RecordingEnd::Answer(uint64_t event) {
  for (auto& [kind, calls] : calls_) {
    const auto found = std::ranges::find(calls.named, event, &OpenCall::event);
    if (found == calls.named.end()) continue;
    calls.named.erase(found);
    --calls.unanswered;
    ++calls.answered;
    return;
  }
}

void RecordingEnd::CheckReturn(bool has_end, const validate::RuleSet& rules,
                               DiagnosticList& findings) const {
  const auto report = [&](const OpenCall& call, std::string_view next) {
    validate::EventFindings out(findings, rules, call.event);
    out.Add(Rule::kRecordReturn001, "",
            fmt::format("the driver did not come back from event {}, {}: {}", call.event, call.what,
                        next),
            "no result", "a call_result");
  };
  if (!has_end && open_ && !open_->is_lost && !open_->is_after && !calls_.contains(open_->kind))
    report(*open_, "the trace ends in its first such call");
  for (const auto& [kind, calls] : calls_) {
    if (calls.answered <= calls.unanswered) continue;
    for (const OpenCall& call : calls.named)
      report(call, "other events follow this call, and no result of it");
    if (open_ && open_->kind == kind) report(*open_, "the trace ends in this call");
  }
}

void RecordingEnd::CheckBegin(bool has_end, const validate::RuleSet& rules,
                              DiagnosticList& findings) const {
  if (has_end || has_begun_ || !beginning_) return;
  validate::EventFindings out(findings, rules, beginning_->event);
  out.Add(
      Rule::kRecordReturn002, "",
      fmt::format(
          "the recording has no call of the driver, and ends without a footer after event {}, {}: "
          "the machine was turned off, or the driver did not come back from its first call",
          beginning_->event, beginning_->name),
      "no call", "a call, or d2c_finish()");
}

void RecordingEnd::CheckLost(const validate::RuleSet& rules, DiagnosticList& findings) const {
  if (!lost_) return;
  const std::string events = Counted(lost_->events, "event");
  validate::EventFindings out(findings, rules, lost_->first);
  out.Add(
      Rule::kRecordLost001, "events",
      lost_->places == 1
          ? fmt::format("the recorder lost {} before this one: {}", events, Describe(lost_->cause))
          : fmt::format("the recorder lost {} in {} places, before events {} to {}; the first: {}",
                        events, lost_->places, lost_->first, lost_->last, Describe(lost_->cause)),
      fmt::format("{} lost", lost_->events), "none");
}

uint64_t RecordingEnd::CheckLeaks(const device::Device& device, const validate::RuleSet& rules,
                                  DiagnosticList& findings) const {
  uint64_t count = 0;
  const auto report = [&](const auto& made, uint32_t space, uint64_t id, const std::string& what) {
    ++count;
    const auto found = made.find({space, id});
    validate::EventFindings out(findings, rules, found == made.end() ? 0 : found->second);
    out.Add(Rule::kRecordLeak001, "", fmt::format("{} is never destroyed", what), what,
            "destroyed");
  };
  for (const auto& [space, owner] : device.spaces()) {
    for (const auto& [handle, resource] : owner->roots()) {
      const image::SurfaceDescription& size = resource->surface.description();
      report(surfaces_, space, handle,
             fmt::format("surface {} ({}, {}x{})", handle, device::Describe(*resource), size.width,
                         size.height));
    }
  }
  for (const auto& [key, event] : surfaces_) {  // the driver has them
    const auto owner = device.spaces().find(key.first);
    const auto handle = static_cast<uint32_t>(key.second);
    if (owner == device.spaces().end() || owner->second->Find(handle) ||
        owner->second->history().Find(handle) != device::Absence::kRefused)
      continue;
    report(surfaces_, key.first, handle,
           fmt::format("surface {}, which the replay refused,", handle));
  }
  for (const auto& [key, context] : device.contexts()) {
    if ((key.second & device::kPacketContext) != 0) continue;
    report(contexts_, key.first, key.second, fmt::format("context {}", key.second));
  }
  return count;
}

}  // namespace dp2trace::verify
