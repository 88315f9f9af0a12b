// One finding about an input, and the bounded list that collects them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rule.h"

namespace dp2trace {

// What stands at the place of a finding, kept when it is made: the bytes are gone afterwards.
struct Excerpt {
  static constexpr size_t kMaxBytes = 64;
  static constexpr size_t kMaxToken = 240;  // characters

  std::string token;           // the decoded token on one line; empty where the place is in none
  uint64_t token_offset = 0;   // bytes from the start of the command buffer
  std::vector<uint8_t> bytes;  // of the command buffer, around the place
  uint64_t offset = 0;         // of the first of `bytes`, as Diagnostic::offset
  bool empty() const { return token.empty() && bytes.empty(); }
  bool operator==(const Excerpt&) const = default;
};

// A finding: which rule, where, what was found and what was expected.
struct Diagnostic {
  Rule rule{};
  Severity severity = Severity::kError;
  std::optional<uint64_t>
      event;  // number of the event (0 = header); none for container and JSON findings
  std::optional<uint64_t>
      offset;  // bytes: from the start of the command buffer, or of the file when there is no event
  uint64_t length = 0;  // bytes that the finding is about; 0 = unknown
  uint64_t line = 0;    // line of a text input, counted from 1; 0 = none
  uint64_t column = 0;  // characters from the start of that line, counted from 1; 0 = none
  std::string path;     // "commands/17/records/5/value", or a JSON pointer
  std::string message;  // one sentence; says actual and expected where they exist
  std::string actual;
  std::string expected;
  Excerpt excerpt;

  bool operator==(const Diagnostic&) const = default;
};

// How many findings a list keeps; all are counted.
struct DiagnosticLimits {
  size_t all = 10000;
  uint64_t per_rule = UINT64_MAX;
};

// Findings in the order in which they were found. Drops exact repeats of the last finding, kept or not, and keeps what the limits allow;
// counts all.
class DiagnosticList {
 public:
  explicit DiagnosticList(size_t limit = DiagnosticLimits().all) : limits_{limit, UINT64_MAX} {}
  explicit DiagnosticList(const DiagnosticLimits& limits) : limits_(limits) {}

  void Add(Diagnostic diagnostic);
  // Adds what another list, with the same limits or wider ones, has found behind this one. Nothing of the two repeats each other.
  void Append(DiagnosticList later);
  // True where a finding of the rule would be kept: its texts need not be made otherwise.
  bool Keeps(Rule rule) const;
  // Counts a finding of a rule that the user switched off: it is no part of the list.
  void CountDisabled(Rule rule) { ++disabled_[rule]; }

  const std::vector<Diagnostic>& items() const { return items_; }
  // The same, handed over.
  std::vector<Diagnostic> Take() { return std::move(items_); }
  // Calls a function with each finding from the one with this number on: to place what has just been found.
  template <class F>
  void ForEachFrom(size_t first, const F& function) {
    for (size_t i = first; i < items_.size(); ++i)
      function(items_[i]);
  }
  // All findings of the severity, kept or not.
  uint64_t count(Severity severity) const { return counts_[static_cast<size_t>(severity)]; }
  // Findings that were counted and not kept, in all and by rule.
  uint64_t dropped() const { return dropped_; }
  const std::map<Rule, uint64_t>& dropped_by_rule() const { return dropped_by_rule_; }
  // Findings of rules that the user switched off.
  const std::map<Rule, uint64_t>& disabled() const { return disabled_; }
  bool empty() const { return items_.empty() && dropped_ == 0; }

 private:
  DiagnosticLimits limits_;
  uint64_t dropped_ = 0;
  uint64_t counts_[kSeverityCount] = {};
  std::map<Rule, uint64_t> kept_by_rule_;  // only where there is a limit
  std::map<Rule, uint64_t> dropped_by_rule_;
  std::map<Rule, uint64_t> disabled_;
  std::vector<Diagnostic> items_;
  std::optional<Diagnostic> last_;  // where it was not kept
};

}  // namespace dp2trace
