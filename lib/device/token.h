// One token while it is applied, and what every handler needs: reports, state writes, look-ups. Internal to this folder.
#pragma once

#include <cstdint>
#include <string>

#include "device/defect.h"
#include "device/device.h"
#include "device/state_block.h"
#include "device/state_value.h"
#include "opcode/layouts.h"
#include "stream/records.h"

namespace dp2trace::device {

struct Token {
  const Options& options;
  const trace::Header& header;
  Context& context;
  const Call& call;
  const stream::Command& command;
  DrawSink& sink;
  WorkBudget& work;        // of the trace
  uint64_t& object_bytes;  // of all contexts
  Defects& defects;

  // It, as the setter of a value.
  Setter AsSetter() const { return {call.event, static_cast<uint32_t>(command.offset)}; }
  stream::RecordRange Records() const { return stream::Records(command, call.environment); }

  // A defect of the whole token, or of one of its records.
  void Report(Rule rule, const std::string& message, std::string actual = {},
              std::string expected = {}) const;
  void Report(Rule rule, const stream::Record& record, const std::string& message,
              std::string actual = {}, std::string expected = {}) const;
  void Report(Rule rule, stream::WordPlace place, const std::string& message, std::string actual,
              std::string expected) const;
  // About words of a record.
  void Report(Rule rule, const stream::Record& record, const stream::Word& word,
              const std::string& message, std::string actual = {}, std::string expected = {}) const;
  void Report(const RecordDefect& defect, const stream::Record& record) const;
  void Report(const RecordDefects& found, const stream::Record& record) const;
  // A status of a layer below, as a defect of a record.
  void Report(const Status& status, const stream::Record& record) const;

  // The record does not set the binding that it names: what a draw finds there follows from that.
  void Refuse(StateKey key) const;
  void RefuseBinding(uint32_t binding) const;
  // Sets a value of the state, or records it while a state block is being recorded. Overridden render states stay.
  void Set(StateKey key, const StateWords& words) const;
  void Set(StateKey key, uint32_t value) const;
  // The same, never recorded. `block`: the state block that holds the value; null: the token does.
  void Apply(StateKey key, const StateWords& words, const StateBlock* block = nullptr) const;
  // The value that the next token builds on: of the open recording where it is there, else the current one.
  void Get(StateKey key, StateWords& words) const;

  // The live surface whose handle a field holds. Empty where there is none, after a report of `rule`, unless the surface was refused.
  SurfaceRef FindSurface(Rule rule, const stream::Record& record, stream::FieldRef field) const;
  // The same under the general rules: DP2-SURF-001 to 003.
  SurfaceRef FindSurface(const stream::Record& record, stream::FieldRef field) const;

  // Counts memory of objects that live as long as the context. False after a report.
  bool Charge(const stream::Record& record, uint64_t bytes) const;
  void Release(uint64_t bytes) const {
    context.object_bytes -= bytes;
    object_bytes -= bytes;
  }
};

// Words in the order of the bytes, as many as the kind has (at most `count`).
StateWords LoadWords(const uint8_t* at, uint32_t count);

// The fixed structure of an operation without records, as a record: for findings and field access.
stream::Record FixedRecord(const Token& token);

using Handler = void (*)(Token&);
// Null for operations without effect (EXT, dirty rectangles).
Handler FindHandler(opcode::Op op);

}  // namespace dp2trace::device
