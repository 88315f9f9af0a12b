#include "base/diagnostic.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "base/status.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr Rule kFirst{10};
constexpr Rule kSecond{11};

Diagnostic Warning(Rule rule, const char* message) {
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.severity = Severity::kWarning;
  diagnostic.message = message;
  return diagnostic;
}

}  // namespace

TEST_CASE("DiagnosticList: drops exact repeats and counts what the limit cuts off") {
  DiagnosticList list(2);
  Diagnostic diagnostic = Warning(kFirst, "x");
  list.Add(diagnostic);
  list.Add(diagnostic);
  CHECK(list.items().size() == 1);
  for (uint64_t i = 0; i < 4; ++i) {
    diagnostic.offset = i;
    list.Add(diagnostic);
  }
  CHECK(list.items().size() == 2);
  CHECK(list.dropped() == 3);
  CHECK(list.count(Severity::kWarning) == 5);
}

TEST_CASE("DiagnosticList: a limit per rule keeps the first ones and counts the rest by rule") {
  DiagnosticList list(DiagnosticLimits{.all = 10, .per_rule = 2});
  for (uint64_t i = 0; i < 5; ++i) {
    Diagnostic diagnostic = Warning(kFirst, "x");
    diagnostic.offset = i;
    list.Add(diagnostic);
  }
  CHECK_FALSE(list.Keeps(kFirst));
  CHECK(list.Keeps(kSecond));
  list.Add(Warning(kSecond, "y"));
  CHECK(list.items().size() == 3);
  CHECK(list.items()[1].offset == 1);
  CHECK(list.count(Severity::kWarning) == 6);
  CHECK(list.dropped() == 3);
  CHECK(list.dropped_by_rule().at(kFirst) == 3);
}

TEST_CASE("DiagnosticList: a repeat is one whether or not the last finding was kept") {
  DiagnosticList list(1);
  list.Add(Warning(kFirst, "x"));
  list.Add(Warning(kFirst, "y"));
  list.Add(Warning(kFirst, "y"));
  CHECK(list.dropped() == 1);
}

TEST_CASE("DiagnosticList: many findings of a rule leave room for the first one of another") {
  DiagnosticList list(3);
  Diagnostic many = Warning(kFirst, "x");
  for (uint64_t i = 0; i < 100; ++i) {
    many.offset = i;
    list.Add(many);
  }
  list.Add(Warning(kSecond, "y"));
  list.Add(Warning(kSecond, "z"));
  REQUIRE(list.items().size() == 4);
  CHECK(list.items().back().message == "y");
  CHECK(list.dropped_by_rule().at(kFirst) == 97);
  CHECK(list.dropped_by_rule().at(kSecond) == 1);
  DiagnosticList none(0);
  none.Add(many);
  CHECK(none.items().empty());
}

TEST_CASE("DiagnosticList: findings in two lists are kept and counted as in one") {
  const DiagnosticLimits limits = {.all = 5, .per_rule = 3};
  DiagnosticList one(limits);
  DiagnosticList first(limits);
  DiagnosticList later(limits);
  for (uint64_t i = 0; i < 12; ++i) {
    Diagnostic diagnostic = Warning(i % 3 == 0 ? kSecond : kFirst, "x");
    diagnostic.offset = i;
    one.Add(diagnostic);
    (i < 4 ? first : later).Add(diagnostic);
  }
  first.CountDisabled(kFirst);
  later.CountDisabled(kFirst);
  first.Append(std::move(later));
  CHECK(first.items() == one.items());
  CHECK(first.dropped() == one.dropped());
  CHECK(first.dropped_by_rule() == one.dropped_by_rule());
  CHECK(first.count(Severity::kWarning) == 12);
  CHECK(first.disabled().at(kFirst) == 2);
}

TEST_CASE("Status and Result: carry a value or one diagnostic") {
  const Result<int> good = 3;
  const Result<int> bad = Failure(kCannotWrite, "full");
  CHECK(good.ok());
  CHECK(*good == 3);
  CHECK_FALSE(bad.ok());
  CHECK(bad.status().diagnostic().message == "full");
}

TEST_CASE("Occurrences: a frame that comes late is put where it belongs") {
  Occurrences more;
  for (const uint64_t frame : {2U, 3U, 5U, 9U, 1U, 4U, 7U, 3U})
    more.Add(frame);
  CHECK(more.count() == 8);
  CHECK(more.frames() == std::vector<Occurrences::Range>{{1, 5}, {7, 7}, {9, 9}});
  Occurrences many;
  for (uint64_t frame = 0; frame <= Occurrences::kMaxRanges; ++frame)
    many.Add(10 + 2 * frame);
  many.Add(1);
  CHECK(many.frames().size() == Occurrences::kMaxRanges);
  CHECK(many.frames().front() == Occurrences::Range{1, 1});
  CHECK(many.more_frames() == 2);
}

TEST_CASE("Occurrences: frames are ranges, as many as are kept, and all are counted") {
  Occurrences more;
  for (const uint64_t frame : {2U, 2U, 3U, 4U, 7U})
    more.Add(frame);
  CHECK(more.count() == 5);
  CHECK(more.frames() == std::vector<Occurrences::Range>{{2, 4}, {7, 7}});
  for (uint64_t frame = 9; frame < 1000; frame += 2)
    more.Add(frame);
  CHECK(more.frames().size() == Occurrences::kMaxRanges);
  CHECK(more.frames().back().last + 2 * more.more_frames() == 999);
}

TEST_CASE("DiagnosticList: a cause is one finding where causes are joined") {
  Diagnostic finding = Warning(kFirst, "x");
  finding.cause = "stage 0";
  finding.frame = 1;
  for (const bool joins : {false, true}) {
    CAPTURE(joins);
    DiagnosticList list(DiagnosticLimits{.joins_causes = joins});
    list.Add(finding);
    for (uint64_t frame = 2; frame < 5; ++frame) {
      Diagnostic again = finding;
      again.frame = frame;
      again.event = frame;
      list.Add(again);
      again.rule = kSecond;
      again.cause.clear();
      list.Add(again);
    }
    list.CountAgain(kFirst, "stage 0", 9);
    list.CountAgain(kFirst, "stage 1", 9);
    const auto count = std::ranges::count(list.items(), kFirst, &Diagnostic::rule);
    CHECK(count == (joins ? 1 : 4));
    CHECK(list.items()[0].more.count() == (joins ? 4U : 0U));
    CHECK(list.count(Severity::kWarning) == static_cast<uint64_t>(count) + (joins ? 1 : 3));
  }
}

TEST_CASE("DiagnosticList: what says the same of another frame is one finding, in one frame two") {
  DiagnosticList list(DiagnosticLimits{.joins_causes = true});
  Diagnostic finding = Warning(kFirst, "x");
  for (const uint64_t frame : {1U, 1U, 2U, 3U, 3U}) {
    finding.frame = frame;
    finding.event = finding.event.value_or(0) + 1;
    list.Add(finding);
  }
  REQUIRE(list.items().size() == 2);
  CHECK(list.items()[0].more.count() == 3);
  CHECK(list.items()[0].more.frames() == std::vector<Occurrences::Range>{{2, 3}});
  finding.actual = "other";
  list.Add(finding);
  CHECK(list.items().size() == 3);
}

TEST_CASE("DiagnosticList: what has neither cause nor frame is never joined, nor are two rules") {
  DiagnosticList list(DiagnosticLimits{.joins_causes = true});
  Diagnostic finding = Warning(kFirst, "x");
  finding.event = 1;
  list.Add(finding);
  finding.event = 2;
  list.Add(finding);
  finding.event = 3;
  finding.cause = "c";
  list.Add(finding);
  finding.rule = kSecond;
  list.Add(finding);
  CHECK(list.items().size() == 4);
}
