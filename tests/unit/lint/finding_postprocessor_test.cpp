#include "lint/finding_postprocessor.h"

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

TEST_CASE("FindingPostprocessor: counts all, lists up to the limit, fails at the severity") {
  PostprocessorOptions options;
  options.max_per_rule = 2;
  options.fail_on = Severity::kWarning;
  FindingPostprocessor postprocessor(options);
  CHECK_FALSE(postprocessor.has_failed());
  const FileFindings file = postprocessor.Take(Warnings(postprocessor.Limits(), 5));
  CHECK(file.findings.size() == 2);
  CHECK(file.count(Severity::kWarning) == 5);
  CHECK(postprocessor.outcome().unlisted == 3);
  CHECK(postprocessor.outcome().files == 1);
  CHECK(postprocessor.has_failed());
}

TEST_CASE(
    "FindingPostprocessor: a baseline stays as it is where a trace could not be read to its end") {
  const TestFolder folder;
  PostprocessorOptions options;
  options.baseline = folder / "baseline.json";
  options.today = "2026-06-30";
  options.updates_baseline = true;
  FindingPostprocessor postprocessor(options);
  REQUIRE(postprocessor.ReadBaseline().ok());
  LintResult cut = Warnings(postprocessor.Limits(), 1);
  cut.is_incomplete = true;
  (void)postprocessor.Take(std::move(cut));
  CHECK(postprocessor.WriteBaseline().ok());
  CHECK_FALSE(std::filesystem::exists(options.baseline));
  CHECK(postprocessor.Notes({}).size() == 1);
}

TEST_CASE("FindingPostprocessor: standard input has a name of its own") {
  const PostprocessorOptions options;
  FindingPostprocessor postprocessor(options);
  LintResult result = Warnings(postprocessor.Limits(), 0);
  result.file = "-";
  CHECK(postprocessor.Take(std::move(result)).file == kStandardInputName);
}

TEST_CASE(
    "FindingPostprocessor: an updated baseline accepts what was found, and is read the next time") {
  const TestFolder folder;
  PostprocessorOptions options;
  options.fail_on = Severity::kWarning;
  options.baseline = folder / "baseline.json";
  options.today = "2026-06-30";
  options.updates_baseline = true;
  {
    FindingPostprocessor postprocessor(options);
    REQUIRE(postprocessor.ReadBaseline().ok());  // it need not be there
    (void)postprocessor.Take(Warnings(postprocessor.Limits(), 1));
    CHECK_FALSE(postprocessor.has_failed());
    REQUIRE(postprocessor.WriteBaseline().ok());
  }
  options.updates_baseline = false;
  FindingPostprocessor postprocessor(options);
  REQUIRE(postprocessor.ReadBaseline().ok());
  CHECK(postprocessor.Take(Warnings(postprocessor.Limits(), 1)).accepted == 1);
  CHECK_FALSE(postprocessor.has_failed());
  CHECK(postprocessor.Notes({}).empty());
  CHECK(postprocessor.Notes({"DP2-STREAM-009"}).size() == 1);  // switched off without need
  options.baseline = folder / "none.json";
  CHECK_FALSE(FindingPostprocessor(options).ReadBaseline().ok());
}
