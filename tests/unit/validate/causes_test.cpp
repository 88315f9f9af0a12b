#include "validate/causes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "play/player.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "trace_file/source.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

const DiagnosticLimits kJoined = {.joins_causes = true};

std::vector<Diagnostic> FindingsOfFile(const std::string& path, const DiagnosticLimits& limits) {
  DiagnosticList reading;
  trace_file::OpenError error;
  const auto source = trace_file::Source::Open(path, uint64_t{1} << 30, reading, error);
  REQUIRE(source != nullptr);
  DiagnosticList findings(limits);
  play::Player player({}, findings, {});
  for (trace::EventRecord record; source->Next(record);)
    REQUIRE(player.OnEvent(record.number, record.event).ok());
  player.Finish();
  return findings.Take();
}

// Of a trace in the text form of JSON.
std::vector<Diagnostic> FindingsOfTrace(const std::string& name, const DiagnosticLimits& limits) {
  return FindingsOfFile(DP2TRACE_SOURCE_DIR "/tests/cli/inputs/" + name, limits);
}

std::vector<Diagnostic> Of(const std::vector<Diagnostic>& findings, Rule rule) {
  std::vector<Diagnostic> found;
  std::ranges::copy_if(findings, std::back_inserter(found),
                       [rule](const Diagnostic& finding) { return finding.rule == rule; });
  return found;
}

}  // namespace

TEST_CASE("causes: a state that stays wrong is one finding, with its setter and all draws") {
  const auto found = Of(FindingsOfTrace("one-cause-four-frames.json", kJoined), Rule::kDp2Rt011);
  REQUIRE(found.size() == 1);
  CHECK(found[0].frame == 1);
  CHECK(found[0].draw == 2);
  REQUIRE(found[0].set_by.size() == 2);
  CHECK(found[0].set_by[0] == StateSetter{"ZENABLE", 4, 0xC});
  CHECK(found[0].set_by[1] == StateSetter{"depth surface", 0, 0});
  // Two draws in each of four frames.
  CHECK(found[0].more.count() == 7);
  CHECK(found[0].more.frames() == std::vector<Occurrences::Range>{{1, 4}});
}

TEST_CASE("causes: without joining a finding is where the defect is news") {
  const auto found = Of(FindingsOfTrace("one-cause-four-frames.json", {}), Rule::kDp2Rt011);
  CHECK(found.size() == 4);
  for (const Diagnostic& finding : found)
    CHECK(finding.more.count() == 0);
}

TEST_CASE("causes: with each occurrence every draw has its finding") {
  const auto found =
      Of(FindingsOfTrace("one-cause-four-frames.json", {.lists_each = true}), Rule::kDp2Rt011);
  CHECK(found.size() == 8);
  for (const Diagnostic& finding : found)
    CHECK(finding.set_by.size() == 2);
}

TEST_CASE("causes: what a token says itself has none, and is counted from frame to frame") {
  const auto joined = Of(FindingsOfTrace("one-cause-four-frames.json", kJoined), Rule::kDp2Rs004);
  REQUIRE(joined.size() == 1);
  CHECK(joined[0].more.count() == 3);
  const auto found = Of(FindingsOfTrace("one-cause-four-frames.json", {}), Rule::kDp2Rs004);
  CHECK(found.size() == 4);
  for (const Diagnostic& finding : found) {
    CHECK(finding.cause.empty());
    CHECK(finding.set_by.empty());
    CHECK_FALSE(finding.is_whole);
  }
}

TEST_CASE("causes: whoever set the state is named in the traces that break the rule") {
  for (const RuleInfo& info : AllRules()) {
    // The vertex format of the traces of these rules is that of the call.
    if (!validate::IsAboutState(info.rule) || info.id.starts_with("DP2-FVF-")) continue;
    bool is_named = false;
    for (const auto& file : std::filesystem::directory_iterator(
             std::filesystem::path(DP2TRACE_RULE_TRACES) / "malformed" / info.id)) {
      if (file.path().extension() != ".json") continue;
      for (const Diagnostic& finding : Of(FindingsOfFile(file.path().string(), {}), info.rule))
        is_named = is_named || !finding.set_by.empty();
    }
    CHECK_MESSAGE(is_named, std::string(info.id));
  }
}
