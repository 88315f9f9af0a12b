#include "lint/linter.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::lint;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// The result of a trace with so many warnings at ascending events.
LintResult Warnings(const DiagnosticLimits& limits, uint64_t count) {
  LintResult result;
  result.file = "a.json";
  result.findings = DiagnosticList(limits);
  for (uint64_t i = 0; i < count; ++i) {
    Diagnostic finding = MakeDiagnostic(Rule::kDp2Stream009, "bReserved is 1");
    finding.event = i;
    result.findings.Add(finding);
  }
  return result;
}

}  // namespace

TEST_CASE("Linter: counts all, lists up to the limit, fails at the severity") {
  LinterOptions options;
  options.max_per_rule = 2;
  options.fail_on = Severity::kWarning;
  Linter linter(options);
  CHECK_FALSE(linter.has_failed());
  const FileFindings file = linter.Take(Warnings(linter.Limits(), 5));
  CHECK(file.findings.size() == 2);
  CHECK(file.count(Severity::kWarning) == 5);
  CHECK(linter.outcome().unlisted == 3);
  CHECK(linter.outcome().files == 1);
  CHECK(linter.has_failed());
}

TEST_CASE("Linter: a baseline stays as it is where a trace could not be read to its end") {
  const TestFolder folder;
  LinterOptions options;
  options.baseline = folder / "baseline.json";
  options.today = "2026-06-30";
  options.updates_baseline = true;
  Linter linter(options);
  REQUIRE(linter.ReadBaseline().ok());
  LintResult cut = Warnings(linter.Limits(), 1);
  cut.is_incomplete = true;
  (void)linter.Take(std::move(cut));
  CHECK(linter.WriteBaseline().ok());
  CHECK_FALSE(std::filesystem::exists(options.baseline));
  CHECK(linter.Notes({}).size() == 1);
}

TEST_CASE("Linter: standard input has a name of its own") {
  const LinterOptions options;
  Linter linter(options);
  LintResult result = Warnings(linter.Limits(), 0);
  result.file = "-";
  CHECK(linter.Take(std::move(result)).file == kStandardInputName);
}

TEST_CASE("Linter: an updated baseline accepts what was found, and is read the next time") {
  const TestFolder folder;
  LinterOptions options;
  options.fail_on = Severity::kWarning;
  options.baseline = folder / "baseline.json";
  options.today = "2026-06-30";
  options.updates_baseline = true;
  {
    Linter linter(options);
    REQUIRE(linter.ReadBaseline().ok());  // it need not be there
    (void)linter.Take(Warnings(linter.Limits(), 1));
    CHECK_FALSE(linter.has_failed());
    REQUIRE(linter.WriteBaseline().ok());
  }
  options.updates_baseline = false;
  Linter linter(options);
  REQUIRE(linter.ReadBaseline().ok());
  CHECK(linter.Take(Warnings(linter.Limits(), 1)).accepted == 1);
  CHECK_FALSE(linter.has_failed());
  CHECK(linter.Notes({}).empty());
  CHECK(linter.Notes({"DP2-STREAM-009"}).size() == 1);  // switched off without need
  options.baseline = folder / "none.json";
  CHECK_FALSE(Linter(options).ReadBaseline().ok());
}
