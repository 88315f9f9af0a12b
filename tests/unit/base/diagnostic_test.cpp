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

TEST_CASE("Status and Result: carry a value or one diagnostic") {
  const Result<int> good = 3;
  const Result<int> bad = Failure(kCannotWrite, "full");
  CHECK(good.ok());
  CHECK(*good == 3);
  CHECK_FALSE(bad.ok());
  CHECK(bad.status().diagnostic().message == "full");
}
