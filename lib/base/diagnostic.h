// One finding about an input, and the bounded list that collects them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rules.h"

namespace dp2trace {

// A finding: which rule, where, what was found and what was expected.
struct Diagnostic {
  Rule rule{};
  Severity severity = Severity::kError;
  std::optional<uint64_t> event;   // number of the event (0 = header); none for container and JSON findings
  std::optional<uint64_t> offset;  // bytes: from the start of the command buffer, or of the file when there is no event
  uint64_t length = 0;             // bytes that the finding is about; 0 = unknown
  uint64_t line = 0;               // line of a text input, counted from 1; 0 = none
  std::string path;                // "commands/17/records/5/value", or a JSON pointer
  std::string message;             // one sentence; says actual and expected where they exist
  std::string actual;
  std::string expected;

  bool operator==(const Diagnostic&) const = default;
};

// A diagnostic with the severity of the rule's table row.
Diagnostic MakeDiagnostic(Rule rule, std::string message);

// One line of text, without a line end: "FILE:EVENT+0xOFFSET: severity: message [ID] (path)", or "FILE:0xOFFSET: ..." without event.
std::string FormatDiagnostic(std::string_view file, const Diagnostic& diagnostic);

// Findings in the order in which they were found. Drops exact repeats of the last finding and keeps at most `limit`; counts all.
class DiagnosticList {
 public:
  explicit DiagnosticList(size_t limit = 10000) : limit_(limit) {}

  void Add(Diagnostic diagnostic);

  const std::vector<Diagnostic>& items() const { return items_; }
  // All findings of the severity, kept or not.
  uint64_t count(Severity severity) const { return counts_[static_cast<size_t>(severity)]; }
  // Findings that were counted and not kept.
  uint64_t dropped() const { return dropped_; }
  bool empty() const { return items_.empty() && dropped_ == 0; }

 private:
  size_t limit_;
  uint64_t dropped_ = 0;
  uint64_t counts_[kSeverityCount] = {};
  std::vector<Diagnostic> items_;
};

}  // namespace dp2trace
