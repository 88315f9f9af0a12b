#include "validate/findings.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

const RuleSet kRules;  // NOLINT(cert-err58-cpp): cannot throw

TEST_CASE("EventFindings: carries the event number and keeps the order") {
  DiagnosticList list;
  {
    EventFindings findings(list, kRules, 7, 64);
    findings.Add(Rule::kDp2Stream016, Place{12, 4, "commands/1"}, "a");
    findings.Add(Rule::kKmtDec003, "payload", "b", "3");
  }
  REQUIRE(list.items().size() == 2);
  CHECK(list.items()[0].event == 7u);
  CHECK(list.items()[0].offset == 12u);
  CHECK(list.items()[0].severity == Severity::kWarning);
  CHECK_FALSE(list.items()[1].offset.has_value());
  CHECK(list.items()[1].actual == "3");
}

TEST_CASE("EventFindings: counts repeats of a rule beyond the limit") {
  DiagnosticList list;
  {
    EventFindings findings(list, kRules, 7, 2);
    for (int i = 0; i < 5; ++i)
      findings.Add(Rule::kDp2Stream012, fmt::format("commands/{}", i), "a");
    findings.Add(Rule::kDp2Stream013, "commands/9", "b");
  }
  REQUIRE(list.items().size() == 4);
  CHECK(list.items()[2].rule == Rule::kDp2Stream013);
  CHECK(list.items()[3].rule == Rule::kDp2Stream012);
  CHECK(list.items()[3].message == "3 more findings of this rule in this event");
}

TEST_CASE("EventFindings: exactly the limit needs no count") {
  DiagnosticList list;
  {
    EventFindings findings(list, kRules, 7, 2);
    for (int i = 0; i < 2; ++i)
      findings.Add(Rule::kDp2Stream012, fmt::format("commands/{}", i), "a");
  }
  CHECK(list.items().size() == 2);
}
