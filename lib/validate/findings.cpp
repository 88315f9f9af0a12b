#include "validate/findings.h"

#include <algorithm>
#include <utility>

#include "kmt/ntstatus.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "validate/causes.h"

namespace dp2trace::validate {
namespace {

constexpr uint64_t kExcerptLine = 16;  // bytes; an excerpt starts at a multiple of them

// Cuts a text at a whole character.
void Shorten(std::string& text, size_t size) {
  if (text.size() <= size) return;
  while (size != 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80)
    --size;
  text.resize(size);
  text += "...";
}

}  // namespace

void AddConfigured(DiagnosticList& out, const RuleSet& rules, Diagnostic finding) {
  const std::optional<Severity> severity = rules.severity(finding.rule);
  if (!severity) {
    if (rules.is_disabled(finding.rule)) out.CountDisabled(finding.rule);
    return;
  }
  if (finding.severity == Info(finding.rule).severity) finding.severity = *severity;
  out.Add(std::move(finding));
}

void MoveConfigured(DiagnosticList& from, const RuleSet& rules, DiagnosticList& to) {
  if (from.empty()) return;
  for (const Diagnostic& finding : from.items())
    AddConfigured(to, rules, finding);
  from = DiagnosticList();
}

void EventFindings::SetBuffer(Bytes bytes, uint64_t offset, uint32_t runtime_version,
                              TokenText text) {
  buffer_ = bytes;
  buffer_offset_ = offset;
  runtime_version_ = runtime_version;
  token_text_ = text;
  SetToken(nullptr, nullptr);
}

Excerpt EventFindings::ExcerptOf(const Diagnostic& finding) const {
  Excerpt excerpt;
  const uint64_t end = buffer_offset_ + buffer_.size();
  if (token_text_ == nullptr || !finding.offset || *finding.offset < buffer_offset_ ||
      *finding.offset >= end)
    return excerpt;
  const uint64_t begin = std::max(buffer_offset_, *finding.offset / kExcerptLine * kExcerptLine);
  const uint64_t last =
      *finding.offset + std::clamp<uint64_t>(finding.length, 1, Excerpt::kMaxBytes) - 1;
  const uint64_t line_end = (last / kExcerptLine + 1) * kExcerptLine;
  const uint64_t size = std::min({line_end - begin, end - begin, uint64_t{Excerpt::kMaxBytes}});
  const Bytes bytes =
      buffer_.subspan(static_cast<size_t>(begin - buffer_offset_), static_cast<size_t>(size));
  excerpt.bytes.assign(bytes.begin(), bytes.end());
  excerpt.offset = begin;
  const bool is_in_token = command_ != nullptr && *finding.offset >= command_->offset &&
                           *finding.offset < command_->offset + command_->bytes.size();
  if (!is_in_token) return excerpt;
  excerpt.token_offset = command_->offset;
  token_text_(excerpt.token, *command_, *environment_, runtime_version_);
  Shorten(excerpt.token, Excerpt::kMaxToken);
  return excerpt;
}

void EventFindings::Add(Rule rule, std::string path, std::string message, std::string actual,
                        std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.path = std::move(path);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  Add(std::move(finding));
}

void EventFindings::Add(Rule rule, Place place, std::string message, std::string actual,
                        std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.offset = place.offset;
  finding.length = place.length;
  finding.is_whole = place.is_whole;
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

void EventFindings::CountAgain(Rule rule, const std::string& cause) {
  if (!out_->joins_causes()) return;
  Diagnostic place;
  if (locator_ != nullptr) locator_->Locate(place);
  out_->CountAgain(rule, cause, place.frame);
}

void EventFindings::Add(Diagnostic finding) {
  if (filter_ != nullptr && !filter_->Keeps(finding)) return;
  const bool uses_states =
      context_ != nullptr && command_ != nullptr &&
      (command_->op->is(opcode::kDraw) || command_->op->op == opcode::Op::kClear);
  if (finding.cause.empty() && uses_states && IsAboutState(finding.rule))
    AddCause(*context_, *command_->op, 0, finding);
  if (follow_ups_ != nullptr && !follow_ups_->Keeps(finding)) {
    if (!follow_ups_->IsRepeat(finding)) return;
    if (!lists_each()) return CountAgain(finding.rule, finding.cause);
  }
  if (finding.severity == Severity::kError) ++errors_;
  Predict(finding);
  finding.event = event_;
  if (locator_ != nullptr) locator_->Locate(finding);
  if (rules_->is_on(finding.rule) && out_->Keeps(finding.rule))
    finding.excerpt = ExcerptOf(finding);
  AddConfigured(*out_, *rules_, std::move(finding));
}

void AddDefects(const device::Defects& defects, EventFindings& findings) {
  for (const device::Defect& defect : defects)
    findings.Add(device::FindingOf(defect, findings.event()));
}

}  // namespace dp2trace::validate
