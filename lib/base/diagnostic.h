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

  // The decoded token, or the line of a JSON text; empty where the place is in none.
  std::string token;
  // The character of `token` that is wrong, from 1; 0: `token` is not a line of text.
  uint32_t caret = 0;
  uint64_t token_offset = 0;   // bytes from the start of the command buffer
  std::vector<uint8_t> bytes;  // of the command buffer, around the place
  uint64_t offset = 0;         // of the first of `bytes`, as Diagnostic::offset
  bool empty() const { return token.empty() && bytes.empty(); }
  bool operator==(const Excerpt&) const = default;
};

// A value of the state that a finding is about, and the token that gave it to the context last.
struct StateSetter {
  std::string state;    // "stage 1 COLOROP", "depth surface"
  uint64_t event = 0;   // 0: no token ever did
  uint64_t offset = 0;  // of the token, bytes from the start of the command buffer
  bool operator==(const StateSetter&) const = default;
};

// How often one cause was found, and in which frames.
class Occurrences {
 public:
  static constexpr size_t kMaxRanges = 16;
  struct Range {
    uint64_t first = 0, last = 0;
    bool operator==(const Range&) const = default;
  };

  // One more. Frames ascend but for a few: a later run of the trace may begin again.
  void Add(uint64_t frame);

  uint64_t count() const { return count_; }
  // Ascending, disjoint; the first kMaxRanges of them.
  const std::vector<Range>& frames() const { return frames_; }
  // Frames after these.
  uint64_t more_frames() const { return more_frames_; }
  bool operator==(const Occurrences&) const = default;

 private:
  uint64_t count_ = 0;
  uint64_t more_frames_ = 0;
  uint64_t last_frame_ = 0;
  std::vector<Range> frames_;
};

// A finding: which rule, where, what was found and what was expected.
struct Diagnostic {
  // Not inline: hundreds of places make, copy and return one.
  Diagnostic();
  Diagnostic(const Diagnostic&);
  Diagnostic(Diagnostic&&) noexcept;
  Diagnostic& operator=(const Diagnostic&);
  Diagnostic& operator=(Diagnostic&&) noexcept;
  ~Diagnostic();

  Rule rule{};
  Severity severity = Severity::kError;
  std::optional<uint64_t>
      event;  // number of the event (0 = header); none for container and JSON findings
  std::optional<uint64_t>
      offset;  // bytes: from the start of the command buffer, or of the file when there is no event
  uint64_t length = 0;    // bytes that the finding is about; 0 = unknown
  bool is_whole = false;  // a token or record as a whole: none of its words is wrong by itself
  uint64_t frame = 0;     // counted from 1; 0 = not known
  uint64_t draw = 0;      // its number, where the place is in a token that draws; 0 = none
  std::string marker;     // the last one before it; empty: none
  uint64_t line = 0;      // line of a text input, counted from 1; 0 = none
  uint64_t column = 0;    // characters from the start of that line, counted from 1; 0 = none
  std::string path;       // "commands/17/records/5/value", or a JSON pointer
  std::string message;    // one sentence; says actual and expected where they exist
  std::string actual;
  std::string expected;
  Excerpt excerpt;
  // What tells the cause from others of the rule, where it lies in a state that is in force: the same for all that meet it. Empty elsewhere.
  std::string cause;
  std::vector<StateSetter> set_by;  // the values that such a finding judges
  Occurrences more;                 // of the cause, beside this finding

  bool operator==(const Diagnostic&) const = default;
};

// What a finding says, without its place, as one key: `message`, which is its own or a part of that, the values and the severity.
std::string StatementOf(std::string_view message, const Diagnostic& finding);

// How many findings a list keeps, and beyond `all` the first one of each rule; all are counted.
struct DiagnosticLimits {
  size_t all = 10000;
  uint64_t per_rule = UINT64_MAX;
  // A cause is one finding: its other occurrences are counted there. So is what says the same of another frame.
  bool joins_causes = false;
  // Each draw that meets such a state has a finding of its own; otherwise it is found again once it has been away.
  bool lists_each = false;
};

// Findings in the order in which they were found. Drops exact repeats of the last finding, kept or not, and keeps what the limits allow;
// counts all.
class DiagnosticList {
 public:
  explicit DiagnosticList(size_t limit = DiagnosticLimits().all)
      : limits_{.all = limit, .per_rule = UINT64_MAX} {}
  explicit DiagnosticList(const DiagnosticLimits& limits) : limits_(limits) {}

  void Add(Diagnostic diagnostic);
  // A cause was met again, by what is not a finding of its own: counted where it has been kept.
  void CountAgain(Rule rule, const std::string& cause, uint64_t frame);
  bool joins_causes() const { return limits_.joins_causes; }
  bool lists_each() const { return limits_.lists_each; }
  // Adds what another list, with the same limits or wider ones, has found after this one. Nothing of the two repeats each other.
  void Append(DiagnosticList later);
  // True where a finding of the rule would be kept: its texts need not be made otherwise.
  bool Keeps(Rule rule) const;
  // Counts a finding of a rule that the user switched off: it is not part of the list.
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
  // The finding that has the cause; null: none, or the list does not join them.
  Diagnostic* FindCause(Rule rule, const std::string& cause);

  DiagnosticLimits limits_;
  std::map<std::pair<Rule, std::string>, size_t> causes_;  // their number in `items_`
  uint64_t dropped_ = 0;
  uint64_t counts_[kSeverityCount] = {};
  std::map<Rule, uint64_t> kept_by_rule_;
  std::map<Rule, uint64_t> dropped_by_rule_;
  std::map<Rule, uint64_t> disabled_;
  std::vector<Diagnostic> items_;
  std::optional<Diagnostic> last_;  // where it was not kept
};

}  // namespace dp2trace
