// Runs the validator on a few events and lists the rules that fired.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "trace/events.h"
#include "validate/runner.h"

namespace dp2trace::validate {

using Ids = std::vector<std::string>;

// The findings of header, event, event, ...
inline std::vector<Diagnostic> FindingsOf(const trace::Header& header, std::initializer_list<trace::Event> events,
                                          Options options = {}) {
  DiagnosticList findings;
  Observer observer;
  Runner runner(options, findings, observer);
  uint64_t number = 0;
  (void)runner.OnEvent(number++, header);
  for (const trace::Event& event : events)
    (void)runner.OnEvent(number++, event);
  runner.Finish();
  return findings.items();
}

inline Ids IdsOf(const std::vector<Diagnostic>& findings) {
  Ids ids;
  for (const Diagnostic& finding : findings)
    ids.emplace_back(Info(finding.rule).id);
  return ids;
}

// The bytes of hex digits; blanks are skipped.
inline std::vector<uint8_t> Hex(std::string_view digits) {
  std::string packed;
  for (const char c : digits) {
    if (c != ' ' && c != '\n') packed += c;
  }
  std::vector<uint8_t> bytes;
  if (!ParseHex(packed, bytes)) bytes.clear();
  return bytes;
}

// The rules that fire on a DP2 call with these commands.
inline Ids Dp2Ids(std::string_view commands, trace::Dp2 call = {}) {
  const std::vector<uint8_t> bytes = Hex(commands);
  call.commands = bytes;
  return IdsOf(FindingsOf({}, {call}));
}

// The rules that fire on a packet with these commands.
inline Ids PacketIds(std::string_view commands, trace::Render render = {}) {
  const std::vector<uint8_t> bytes = Hex(commands);
  render.command_buffer = bytes;
  return IdsOf(FindingsOf({}, {render}));
}

}  // namespace dp2trace::validate
