// Where the rules of one event report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "device/context.h"
#include "device/defect.h"
#include "stream/records.h"
#include "stream/stream.h"
#include "validate/rule_set.h"

namespace dp2trace::validate {

// Part of a command buffer, for a finding.
using Place = stream::WordPlace;

// Drops findings that name a defect again which has been reported under another id.
class FindingFilter {
 public:
  virtual ~FindingFilter() = default;
  virtual bool Keeps(const Diagnostic& finding) const = 0;
  // One that it does not keep meets the cause of a finding that it kept.
  virtual bool IsRepeat(const Diagnostic&) const { return false; }
};

// Says where in the trace a finding is, beside event and offset: frame, draw, marker.
class FindingLocator {
 public:
  virtual ~FindingLocator() = default;
  virtual void Locate(Diagnostic& finding) const = 0;
};

// Writes a token on one line, for the excerpts of findings: text::AppendCommand.
using TokenText = void (*)(std::string& out, const stream::Command& command,
                           const stream::Environment& environment, uint32_t runtime_version);

// Adds a finding of a reader with the severity that the rules give it.
void AddConfigured(DiagnosticList& out, const RuleSet& rules, Diagnostic finding);
// The same for all findings of a reader, which then has none: they come before those of the event that it read.
void MoveConfigured(DiagnosticList& from, const RuleSet& rules, DiagnosticList& to);

// Passes the findings of one event on to a list, with the severities of the rule set. The list bounds how many are kept.
class EventFindings {
 public:
  // All but the number outlive the object; without a locator findings have no frame.
  EventFindings(DiagnosticList& out, const RuleSet& rules, uint64_t event,
                const FindingLocator* locator = nullptr)
      : out_(&out), rules_(&rules), event_(event), locator_(locator) {}
  EventFindings(const EventFindings&) = delete;
  EventFindings& operator=(const EventFindings&) = delete;
  ~EventFindings() = default;

  uint64_t event() const { return event_; }
  // False for a rule that is switched off: it need not be worked out. Rules whose findings decide about the execution
  // (severity error) are worked out all the same.
  bool Wants(Rule rule) const { return rules_->Wants(rule); }
  // Findings of severity error before the rule set changes their severities, reported or not: what the execution of a packet hangs on.
  uint64_t errors() const { return errors_; }
  // For the findings that follow; null for none. The filter outlives them.
  void SetFilter(const FindingFilter* filter) { filter_ = filter; }
  // The same, beside it: what only follows from something that has been reported.
  void SetFollowUps(const FindingFilter* filter) { follow_ups_ = filter; }

  // The token is executed in the context: findings about its state name who set it. Null: none is.
  void SetContext(const device::Context* context) { context_ = context; }
  // The token meets the cause again: it is not a finding of its own.
  void CountAgain(Rule rule, const std::string& cause);
  bool lists_each() const { return out_->lists_each(); }

  // The first rule of severity error that says which status a call must return; nothing when a call may succeed. Whatever the rule set
  // changes them, as errors().
  std::optional<Rule> predicted_failure() const { return predicted_failure_; }
  // True when a warning says that a call may return the status.
  bool Explains(uint32_t status) const;

  // The command buffer that offsets of findings count in, for their excerpts: its bytes from `offset` on. Without `text` tokens are
  // left out. The bytes outlive what is added.
  void SetBuffer(Bytes bytes, uint64_t offset, uint32_t runtime_version, TokenText text);
  // The token that is being worked on; both outlive what is added. Null: none.
  void SetToken(const stream::Command* command, const stream::Environment* environment) {
    command_ = command;
    environment_ = environment;
  }

  // A finding about the event or one of its fields.
  void Add(Rule rule, std::string path, std::string message, std::string actual = {},
           std::string expected = {});
  // A finding about bytes of its command buffer.
  void Add(Rule rule, Place place, std::string message, std::string actual = {},
           std::string expected = {});
  // The severity of the finding is that of the rule set, unless it differs from the table's: then the rule has several, and it is kept.
  void Add(Diagnostic finding);

 private:
  void Predict(const Diagnostic& finding);

  Excerpt ExcerptOf(const Diagnostic& finding) const;

  DiagnosticList* out_;
  const RuleSet* rules_;
  uint64_t event_;
  const FindingLocator* locator_;
  const device::Context* context_ = nullptr;
  uint64_t errors_ = 0;
  const FindingFilter* filter_ = nullptr;
  const FindingFilter* follow_ups_ = nullptr;
  std::optional<Rule> predicted_failure_;
  std::vector<Rule> possible_failures_;  // warnings with a status, a handful
  Bytes buffer_;
  uint64_t buffer_offset_ = 0;
  uint32_t runtime_version_ = 0;
  TokenText token_text_ = nullptr;
  const stream::Command* command_ = nullptr;
  const stream::Environment* environment_ = nullptr;
};

// What the device noticed, as findings of the event.
void AddDefects(const device::Defects& defects, EventFindings& findings);

}  // namespace dp2trace::validate
