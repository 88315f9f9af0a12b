#include "device/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "rules/rule.h"

namespace dp2trace::device {

void Token::Report(Rule rule, const std::string& message, std::string actual,
                   std::string expected) const {
  Report(rule, stream::PlaceOf(command), message, std::move(actual), std::move(expected));
}

void Token::Report(Rule rule, stream::WordPlace place, const std::string& message,
                   std::string actual, std::string expected) const {
  defects.push_back({.rule = rule,
                     .path = std::move(place.path),
                     .offset = place.offset,
                     .length = place.length,
                     .is_whole = place.is_whole,
                     .message = fmt::format("{}: {}", command.op->name, message),
                     .actual = std::move(actual),
                     .expected = std::move(expected)});
}

void Token::Report(Rule rule, const stream::Record& record, const std::string& message,
                   std::string actual, std::string expected) const {
  Report(rule, record, stream::Word(), message, std::move(actual), std::move(expected));
}

void Token::Report(Rule rule, const stream::Record& record, const stream::Word& word,
                   const std::string& message, std::string actual, std::string expected) const {
  Report(rule, stream::PlaceOf(command, record, word), message, std::move(actual),
         std::move(expected));
}

void Token::Report(const RecordDefect& defect, const stream::Record& record) const {
  if (defect.is_follow_up) return;
  Report(defect.rule, record, defect.word, defect.message, defect.actual, defect.expected);
}

void Token::Report(const RecordDefects& found, const stream::Record& record) const {
  for (const RecordDefect& defect : found)
    Report(defect, record);
}

void Token::Report(const Status& status, const stream::Record& record) const {
  const Diagnostic& found = status.diagnostic();
  Report(found.rule, record, found.message, found.actual, found.expected);
}

void Token::Refuse(StateKey key) const {
  if (const std::optional<uint32_t> binding = BindingOf(key)) RefuseBinding(*binding);
}

void Token::RefuseBinding(uint32_t binding) const {
  if (context.recording) {
    context.recording->Refuse(binding);
  } else {
    context.bindings.NoteRefused(binding);
  }
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

void Token::Apply(StateKey key, const StateWords& words, const StateBlock* block) const {
  if (key.kind == StateKind::kRender && context.overridden[key.index]) return;
  if (options.observer != nullptr) options.observer->OnSet(context, command, key, words, block);
  WriteState(context.state, key, words);
  context.setters.Note(key, AsSetter());
  const std::optional<uint32_t> binding = BindingOf(key);
  if (!binding) return;
  context.bindings.NoteSet(*binding);
  // A level 8 shader is declaration and code in one.
  if (key.kind == StateKind::kVertexShader) context.bindings.NoteSet(kVertexFunctionBinding);
}

void Token::Get(StateKey key, StateWords& words) const {
  if (context.recording && context.recording->Get(key, words)) return;
  ReadState(context.state, key, words);
}

SurfaceRef Token::FindSurface(Rule rule, const stream::Record& record,
                              stream::FieldRef field) const {
  const uint32_t handle = record.U32(field);
  const SurfaceRef found = context.space->Find(handle);
  if (found || (handle != 0 && context.space->history().IsReported(handle))) return found;
  const std::string_view why =
      handle == 0 ? "is none" : Describe(context.space->history().Find(handle));
  Report(rule, record, field, fmt::format("surface {} {}", handle, why), fmt::format("{}", handle),
         "a live surface");
  return found;
}

SurfaceRef Token::FindSurface(const stream::Record& record, stream::FieldRef field) const {
  const uint32_t handle = record.U32(field);
  if (handle == 0) {
    Report(Rule::kDp2Surf001, record, field, "surface handle 0 has no meaning here", "0",
           "a live surface");
    return {};
  }
  const bool was_destroyed = context.space->history().Find(handle) == Absence::kDestroyed;
  return FindSurface(was_destroyed ? Rule::kDp2Surf003 : Rule::kDp2Surf002, record, field);
}

bool Token::Charge(const stream::Record& record, uint64_t bytes) const {
  const uint64_t rest = options.max_object_bytes - std::min(options.max_object_bytes, object_bytes);
  if (bytes > rest) {
    Report(
        Rule::kReplayObject001, record,
        fmt::format(
            "{} bytes are needed, {} remain of {} for the objects of all contexts, a fixed limit",
            bytes, rest, options.max_object_bytes),
        fmt::format("{}", bytes), fmt::format("at most {}", rest));
    return false;
  }
  context.object_bytes += bytes;
  object_bytes += bytes;
  return true;
}

StateWords LoadWords(const uint8_t* at, uint32_t count) {
  StateWords words = {};
  std::memcpy(words.data(), at, std::min(count, kMaxStateWords) * sizeof(uint32_t));
  return words;
}

stream::Record FixedRecord(const Token& token) {
  return stream::FixedRecord(token.command, token.call.environment);
}

}  // namespace dp2trace::device
