#include "device/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "rules/rule.h"

namespace dp2trace::device {

void Token::Report(Rule rule, const std::string& message, std::string actual,
                   std::string expected) const {
  Diagnostic finding = MakeDiagnostic(rule, fmt::format("{}: {}", command.op->name, message));
  finding.event = call.event;
  finding.offset = command.offset;
  finding.length = command.bytes.size();
  finding.path = stream::PathOf(command);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  findings.Add(std::move(finding));
}

void Token::Report(Rule rule, const stream::Record& record, const std::string& message,
                   std::string actual, std::string expected) const {
  if (record.host.layout == nullptr || record.host.layout == command.op->fixed) {
    Report(rule, message, std::move(actual), std::move(expected));
    return;
  }
  Diagnostic finding = MakeDiagnostic(rule, fmt::format("{}: {}", command.op->name, message));
  finding.event = call.event;
  finding.offset = record.offset();
  finding.length = record.bytes.size();
  finding.path = stream::PathOf(command, record);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  findings.Add(std::move(finding));
}

void Token::Report(const Defect& defect, const stream::Record& record) const {
  Report(defect.rule, record, defect.message, defect.actual, defect.expected);
}

void Token::Report(const Status& status, const stream::Record& record) const {
  const Diagnostic& found = status.diagnostic();
  Report(found.rule, record, found.message, found.actual, found.expected);
}

void Token::Set(StateKey key, const StateWords& words) const {
  if (context.recording) {
    context.recording->Set(key, words);
  } else {
    Apply(key, words);
  }
}

void Token::Set(StateKey key, uint32_t value) const {
  Set(key, StateWords{value});
}

void Token::Apply(StateKey key, const StateWords& words) const {
  if (key.kind == StateKind::kRender && context.overridden[key.index]) return;
  WriteState(context.state, key, words);
}

void Token::Get(StateKey key, StateWords& words) const {
  if (context.recording && context.recording->Get(key, words)) return;
  ReadState(context.state, key, words);
}

SurfaceRef Token::FindSurface(Rule rule, const stream::Record& record, uint32_t handle) const {
  const SurfaceRef found = context.space->Find(handle);
  if (!found)
    Report(rule, record, fmt::format("surface {} is not live", handle), fmt::format("{}", handle));
  return found;
}

SurfaceRef Token::FindSurface(const stream::Record& record, uint32_t handle) const {
  if (handle == 0) {
    Report(Rule::kDp2Surf001, record, "surface handle 0 has no meaning here", "0");
    return {};
  }
  return FindSurface(context.space->WasDestroyed(handle) ? Rule::kDp2Surf003 : Rule::kDp2Surf002,
                     record, handle);
}

bool Token::Charge(const stream::Record& record, uint64_t bytes) const {
  const uint64_t rest =
      options.max_object_bytes - std::min(options.max_object_bytes, context.object_bytes);
  if (bytes > rest) {
    Report(Rule::kReplayObject001, record,
           fmt::format("{} bytes are needed, {} remain", bytes, rest), fmt::format("{}", bytes),
           fmt::format("at most {}", rest));
    return false;
  }
  context.object_bytes += bytes;
  return true;
}

StateWords LoadWords(const uint8_t* at, uint32_t count) {
  StateWords words = {};
  std::memcpy(words.data(), at, std::min(count, kMaxStateWords) * sizeof(uint32_t));
  return words;
}

stream::Record FixedRecord(const Token& token) {
  stream::Record record;
  record.host = stream::FixedTails(token.command, token.call.environment);
  record.bytes = token.command.bytes;
  return record;
}

}  // namespace dp2trace::device
