#include "base/diagnostic.h"

#include <doctest/doctest.h>

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
  list.Add(Warning(kSecond, "y"));
  list.Add(Warning(kSecond, "y"));
  CHECK(list.dropped() == 1);
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
