#include "validate/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kmt/ntstatus.h"

namespace dp2trace::validate {

EventFindings::~EventFindings() {
  for (const Count& count : counts_) {
    if (count.found <= max_repeats_) continue;
    Diagnostic rest =
        MakeDiagnostic(count.rule, fmt::format("{} more findings of this rule in this event", count.found - max_repeats_));
    rest.event = event_;
    rest.severity = *rules_->severity(count.rule);
    out_->Add(std::move(rest));
  }
}

void EventFindings::Add(Rule rule, std::string path, std::string message, std::string actual, std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.path = std::move(path);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  Add(std::move(finding));
}

void EventFindings::Add(Rule rule, Place place, std::string message, std::string actual, std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.offset = place.offset;
  finding.length = place.length;
  finding.path = std::move(place.path);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  Add(std::move(finding));
}

void EventFindings::Predict(const Diagnostic& finding) {
  if (Info(finding.rule).status.empty()) return;
  if (finding.severity == Severity::kError) {
    if (!predicted_failure_) predicted_failure_ = finding.rule;
  } else if (std::ranges::find(possible_failures_, finding.rule) == possible_failures_.end()) {
    possible_failures_.push_back(finding.rule);
  }
}

bool EventFindings::Explains(uint32_t status) const {
  return std::ranges::any_of(possible_failures_, [&](Rule rule) {
    const auto predicted = kmt::FindStatus(Info(rule).status);
    return predicted && kmt::ConfirmsPrediction(status, *predicted);
  });
}

void EventFindings::Add(Diagnostic finding) {
  if (filter_ != nullptr && !filter_->Keeps(finding)) return;
  const Severity severity_of_table = Info(finding.rule).severity;
  if (finding.severity == Severity::kError) ++errors_;
  Predict(finding);
  const std::optional<Severity> severity = rules_->severity(finding.rule);
  if (!severity) return;
  auto count = std::ranges::find(counts_, finding.rule, &Count::rule);
  if (count == counts_.end()) count = counts_.insert(counts_.end(), {finding.rule, 0});
  if (++count->found > max_repeats_) return;
  if (finding.severity == severity_of_table) finding.severity = *severity;
  finding.event = event_;
  out_->Add(std::move(finding));
}

}  // namespace dp2trace::validate
