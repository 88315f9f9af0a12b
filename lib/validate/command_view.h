// One token as a rule sees it: before it is applied, beside the device that it meets.
// Source: lib/design.md 2 and 4.
#pragma once

#include <cstdint>
#include <string>

#include "device/device.h"
#include "stream/records.h"
#include "validate/caps.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// Those of the exponent of a binary32 number, and of infinity: finite numbers without sign are below.
inline constexpr uint32_t kExponentBits = 0x7F800000;

struct ContextMemory;
struct TraceMemory;

struct CommandView {
  const device::Device& device;
  const device::Context& context;
  const device::Call& call;
  const stream::Command& command;
  const Caps& caps;
  TraceMemory& trace;     // what the rules remember over the whole trace
  ContextMemory& memory;  // and of this context
  EventFindings& findings;

  const trace::Header& header() const { return device.header(); }
  uint32_t level() const { return context.level; }
  uint32_t runtime_version() const { return context.runtime_version; }
  bool is_recording() const { return context.recording != nullptr; }
  bool Wants(Rule rule) const { return findings.Wants(rule); }
  stream::RecordRange Records() const { return stream::Records(command, call.environment); }
  // The fixed structure of an operation without records.
  stream::Record Fixed() const { return stream::FixedRecord(command, call.environment); }

  // A finding about the whole token, or about one of its records. The message gets the name of the operation in front.
  void Report(Rule rule, const std::string& message, std::string actual = {},
              std::string expected = {}) const;
  void Report(Rule rule, const stream::Record& record, const std::string& message,
              std::string actual = {}, std::string expected = {}) const;
  // About the token, and a state in force that `detail` names as the rule's row in causes.cpp has it.
  void ReportState(Rule rule, uint32_t detail, const std::string& message, std::string actual,
                   std::string expected) const;
  // About words of a record.
  void Report(Rule rule, const stream::Record& record, const stream::Word& word,
              const std::string& message, std::string actual = {}, std::string expected = {}) const;
  // A finding about a combination of states and objects that the token uses: only where the draw before did not have it.
  // `detail` tells several occurrences of one rule apart: a stage, a stream, a render state.
  void ReportAtDraw(Rule rule, uint32_t detail, const std::string& message, std::string actual = {},
                    std::string expected = {}) const;
};

}  // namespace dp2trace::validate
