// Runs the validator on a few events and lists the rules that fired.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "d3d/formats.h"
#include "play/runner.h"
#include "rules/rule_info.h"
#include "trace/events.h"

// Lists of rules in the words of a failed check.
template <>
struct doctest::StringMaker<std::vector<std::string>> {
  static String convert(const std::vector<std::string>& ids) {
    std::string text;
    for (const std::string& id : ids)
      text += (text.empty() ? "" : " ") + id;
    return text.c_str();
  }
};

namespace dp2trace::validate {

inline std::string Join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts)
    text += part;
  return text;
}

using Ids = std::vector<std::string>;

// The findings of header, event, event, ... Calls that name no context are calls of context 1, which has an 8 x 8 target.
inline std::vector<Diagnostic> FindingsOf(const trace::Header& header,
                                          std::initializer_list<trace::Event> events,
                                          const play::RunnerOptions& options = {}) {
  DiagnosticList findings;
  play::Observer observer;
  play::Runner runner(options, findings, observer);
  (void)runner.OnEvent(0, header);
  trace::SurfaceCreate target;
  target.handle = 1;
  target.kind = d3d::SurfaceKind::kTarget;
  target.format = d3d::Value(d3d::Format::X8R8G8B8);
  target.width = 8;
  target.height = 8;
  (void)runner.OnEvent(0, target);
  trace::ContextCreate context;
  context.context = 1;
  context.target = 1;
  (void)runner.OnEvent(0, context);
  uint64_t number = 1;
  for (trace::Event event : events) {
    if (auto* call = std::get_if<trace::Dp2>(&event); call != nullptr && call->context == 0)
      call->context = 1;
    (void)runner.OnEvent(number++, event);
  }
  runner.Finish();
  return findings.items();
}

inline Ids IdsOf(const std::vector<Diagnostic>& findings) {
  Ids ids;
  for (const Diagnostic& finding : findings)
    ids.emplace_back(Info(finding.rule).id);
  return ids;
}

// The same of a packet that has no context around it: without the rules about the objects that it names, its results, and what an
// opaque payload is.
inline Ids IdsOfLonePacket(const std::vector<Diagnostic>& findings) {
  Ids ids = IdsOf(findings);
  std::erase_if(ids, [](const std::string& id) {
    for (const char* const group : {"KMT-STATE-", "KMT-RENDER-", "KMT-FLAGS-", "KMT-ALLOC-",
                                    "KMT-PATCH-", "KMT-OUT-", "KMT-OPQ-"}) {
      if (id.starts_with(group)) return true;
    }
    return false;
  });
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

// The rules about bytes and shader code that fire on a DP2 call with these commands. What the commands do has tests of its own.
inline Ids Dp2Ids(std::string_view commands, trace::Dp2 call = {}) {
  const std::vector<uint8_t> bytes = Hex(commands);
  call.commands = bytes;
  Ids ids = IdsOf(FindingsOf({}, {call}));
  std::erase_if(ids, [](const std::string& id) {
    constexpr std::string_view kGroups[] = {"DP2-STREAM-", "DP2-SHADER-", "DP2-VSH-", "DP2-IMM-001",
                                            "DP2-PATCH-001"};
    return std::ranges::none_of(kGroups,
                                [&id](std::string_view group) { return id.starts_with(group); });
  });
  return ids;
}

// The rules that fire on a packet with these commands.
inline Ids PacketIds(std::string_view commands, trace::Render render = {}) {
  const std::vector<uint8_t> bytes = Hex(commands);
  render.command_buffer = bytes;
  return IdsOfLonePacket(FindingsOf({}, {render}));
}

}  // namespace dp2trace::validate
