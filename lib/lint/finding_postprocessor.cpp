#include "lint/finding_postprocessor.h"

#include <fmt/format.h>

#include <utility>

#include "lint/fingerprint.h"

namespace dp2trace::lint {
namespace {

constexpr size_t kMaxKept = 100000;  // findings of one file, all rules together

}  // namespace

Status FindingPostprocessor::ReadBaseline() {
  if (options_.baseline.empty()) return OkStatus();
  if (options_.updates_baseline) {
    Result<FileUpdate> update = FileUpdate::Begin(options_.baseline);
    if (!update.ok()) return update.status();
    update_.emplace(std::move(*update));
    if (!update_->is_there()) return OkStatus();
  }
  return baseline_.Read(options_.updates_baseline);
}

DiagnosticLimits FindingPostprocessor::Limits() const {
  // A baseline must see what it accepts.
  const bool is_limited = options_.max_per_rule != 0 && options_.baseline.empty();
  return {kMaxKept, is_limited ? options_.max_per_rule : UINT64_MAX, !options_.lists_all,
          options_.lists_all};
}

FileFindings FindingPostprocessor::Take(LintResult result) {
  FileFindings file;
  file.file = result.file == "-" ? std::string(kStandardInputName) : result.file;
  if (result.error) file.failure = result.error->status.diagnostic();
  const bool is_unread = result.error || result.is_incomplete;
  for (size_t i = 0; i < kSeverityCount; ++i)
    file.counts[i] = result.findings.count(static_cast<Severity>(i));
  file.unlisted = result.findings.dropped_by_rule();
  for (const auto& [rule, count] : result.findings.disabled()) {
    disabled_[rule] += count;
    outcome_.disabled += count;
  }
  Fingerprints fingerprints;
  for (Diagnostic& finding : result.findings.Take()) {
    std::string fingerprint = fingerprints.Next(finding);
    file.findings.push_back({std::move(finding), std::move(fingerprint), std::nullopt});
  }
  ApplyBaseline(file);
  for (size_t i = 0; i < kSeverityCount; ++i)
    outcome_.counts[i] += file.counts[i];
  for (const auto& [rule, count] : file.unlisted)
    outcome_.unlisted += count;
  outcome_.accepted += file.accepted;
  ++outcome_.files;
  if (is_unread) ++outcome_.unread;
  return file;
}

void FindingPostprocessor::ApplyBaseline(FileFindings& file) {
  if (options_.baseline.empty()) return;
  if (options_.updates_baseline) baseline_.Update(file);
  baseline_.Apply(file);
  if (options_.max_per_rule != 0) LimitPerRule(file);
}

// What the baseline does not accept is listed up to the limit.
void FindingPostprocessor::LimitPerRule(FileFindings& file) const {
  std::map<Rule, uint64_t> listed;
  std::erase_if(file.findings, [&](const ListedFinding& one) {
    if (one.accepted || ++listed[one.finding.rule] <= options_.max_per_rule) return false;
    ++file.unlisted[one.finding.rule];
    return true;
  });
}

Status FindingPostprocessor::WriteBaseline() {
  return update_ && outcome_.unread == 0 ? update_->Commit(baseline_.Json()) : OkStatus();
}

bool FindingPostprocessor::has_failed() const {
  if (!options_.fail_on) return false;
  uint64_t count = 0;
  for (auto i = static_cast<size_t>(*options_.fail_on); i < kSeverityCount; ++i)
    count += outcome_.counts[i];
  return count != 0;
}

std::vector<std::string> FindingPostprocessor::Notes(
    const std::vector<std::string>& disabled) const {
  std::vector<std::string> notes =
      options_.updates_baseline ? baseline_.UpdateNotes() : baseline_.Notes();
  if (options_.updates_baseline && outcome_.unread != 0)
    notes = {"the baseline is not updated: not all that is to be checked could be read"};
  for (const std::string& name : disabled) {
    uint64_t count = 0;
    for (const Rule rule : validate::SelectRules(name)) {
      if (const auto found = disabled_.find(rule); found != disabled_.end()) count += found->second;
    }
    if (count == 0)
      notes.push_back(fmt::format("--disable {} has no effect: nothing was found under it", name));
  }
  return notes;
}

}  // namespace dp2trace::lint
