// What the results of `lint` become: fingerprints, baseline, counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/file_update.h"
#include "base/status.h"
#include "lint/baseline.h"
#include "lint/finding_writer.h"
#include "lint/lint_run.h"

namespace dp2trace::lint {

struct PostprocessorOptions {
  std::optional<Severity> fail_on = Severity::kError;  // none: never
  std::string baseline;                                // file; empty: none
  bool updates_baseline = false;
  std::string today;             // YYYY-MM-DD
  uint64_t max_per_rule = 1000;  // findings that are listed of each rule and file; 0: all
  bool lists_all = false;        // each occurrence of a cause is a finding
};

// ReadBaseline(), Take() for each trace, WriteBaseline().
class FindingPostprocessor {
 public:
  explicit FindingPostprocessor(const PostprocessorOptions& options)
      : options_(options), baseline_(options.baseline, options.today) {}

  // One that is to be updated need not be there; other programs that update it are waited for.
  Status ReadBaseline();
  // How many findings of a trace the validator should keep.
  DiagnosticLimits Limits() const;
  // The findings of a trace as writers take them. Whether it could be read is for the caller to say.
  FileFindings Take(LintResult result);
  // Writes the baseline where it is to be updated. Leaves it as it is where a trace could not be read to its end: it would lose what is
  // accepted in the rest.
  Status WriteBaseline();

  // Counts of all that was taken.
  const Outcome& outcome() const { return outcome_; }
  bool has_failed() const;
  // What is switched off or accepted without need. `disabled`: the rules and groups that the user names.
  std::vector<std::string> Notes(const std::vector<std::string>& disabled) const;

 private:
  void ApplyBaseline(FileFindings& file);
  void LimitPerRule(FileFindings& file) const;

  const PostprocessorOptions& options_;
  std::optional<FileUpdate> update_;  // of the baseline, where it is to be updated
  Baseline baseline_;
  Outcome outcome_;
  std::map<Rule, uint64_t> disabled_;  // findings of rules that are switched off
};

}  // namespace dp2trace::lint
