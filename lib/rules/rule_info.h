// The rule table: every finding of every layer is reported under a row of rules.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/rule.h"

namespace dp2trace {

// Who has to fix something when the rule fires.
enum class Fault : uint8_t {
  kStream,  // the stream is invalid: a driver may refuse it
  kSupport,  // legal, but rare, suspicious or rarely supported: a driver must cope, few are tested with it
  kResult,  // the recorded result of a call disagrees with the documents: the driver that was recorded is at fault
  kFile,    // the trace file or an output file, not what it records
  kLimit,   // a limit of this program
};
// "stream", "support", "result", "file", "limit".
std::string_view Name(Fault fault);
// A sentence's worth: "the stream is invalid".
// Of a finding or rule of this severity: what is less than an error was drawn all the same.
std::string_view Describe(Fault fault, Severity severity);

// Families of checks that cut across the topics.
enum class RuleFamily : uint8_t { kNone, kFlags, kHandles, kMipExtents };
// "", "flags", "handles", "mip-extents".
std::string_view Name(RuleFamily family);

// Driver levels, or operating systems, that a rule is about.
enum class RuleScope : uint8_t {
  kAlways,
  kLevel6,
  kUpToLevel7,
  kFromLevel7,
  kLevel8,
  kFromLevel8,
  kLevel9,
  kLevel9Ex,
  kPackets,
  kVista,
  kFromWin8,
  kFromWin10,
};
// "DDI 8-9", "packets, win8 and later", ...
std::string_view Name(RuleScope scope);

struct RuleInfo {
  Rule rule;
  std::string_view id;  // GROUP-TOPIC-NNN; never changes
  Severity severity;
  Fault fault;
  RuleFamily family;
  RuleScope scope;
  std::string_view since;  // version of dp2trace
  std::string_view
      status;  // short name of the NTSTATUS that is expected; empty where none is documented
  std::string_view source;   // keys of sources.def; rules/source.h
  std::string_view summary;  // one line: what is objected to
  std::string_view reason;   // why
  std::string_view remedy;   // how to fix it

  // The id without its number: "DP2-TEXBLT".
  std::string_view group() const { return id.substr(0, id.rfind('-')); }
};

const RuleInfo& Info(Rule rule);
// Its place in AllRules().
size_t RowOf(Rule rule);
std::optional<Rule> FindRule(std::string_view id);
// All rows, in table order.
std::span<const RuleInfo> AllRules();

}  // namespace dp2trace
