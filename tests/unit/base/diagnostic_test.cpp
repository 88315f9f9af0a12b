#include "base/diagnostic.h"

#include <doctest/doctest.h>

#include "base/status.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Diagnostic: an event finding prints FILE:EVENT+0xOFFSET") {
  Diagnostic diagnostic = MakeDiagnostic(Rule::kDp2Stream002, "8 bytes needed, 3 remain");
  diagnostic.event = 12;
  diagnostic.offset = 0x1a4;
  diagnostic.path = "commands/17";
  CHECK(FormatDiagnostic("a.dp2t", diagnostic) ==
        "a.dp2t:12+0x01a4: error: 8 bytes needed, 3 remain [DP2-STREAM-002] (commands/17)");
}

TEST_CASE("Diagnostic: a container finding prints FILE:0xOFFSET, a text finding FILE:LINE") {
  Diagnostic diagnostic = MakeDiagnostic(Rule::kTrace002, "no magic");
  diagnostic.offset = 0;
  CHECK(FormatDiagnostic("a.dp2t", diagnostic) == "a.dp2t:0x0000: error: no magic [TRACE-002]");
  diagnostic.line = 7;
  CHECK(FormatDiagnostic("a.json", diagnostic) == "a.json:7: error: no magic [TRACE-002]");
}

TEST_CASE("DiagnosticList: drops exact repeats and counts what the limit cuts off") {
  DiagnosticList list(2);
  Diagnostic diagnostic = MakeDiagnostic(Rule::kDp2Stream009, "x");
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
    Diagnostic diagnostic = MakeDiagnostic(Rule::kDp2Stream009, "x");
    diagnostic.offset = i;
    list.Add(diagnostic);
  }
  CHECK_FALSE(list.Keeps(Rule::kDp2Stream009));
  CHECK(list.Keeps(Rule::kDp2Stream001));
  list.Add(MakeDiagnostic(Rule::kDp2Stream001, "y"));
  CHECK(list.items().size() == 3);
  CHECK(list.items()[1].offset == 1);
  CHECK(list.count(Severity::kWarning) == 5);
  CHECK(list.dropped() == 3);
  CHECK(list.dropped_by_rule().at(Rule::kDp2Stream009) == 3);
}

TEST_CASE("Status and Result: carry a value or one diagnostic") {
  const Result<int> good = 3;
  const Result<int> bad = Status(MakeDiagnostic(Rule::kIo001, "full"));
  CHECK(good.ok());
  CHECK(*good == 3);
  CHECK_FALSE(bad.ok());
  CHECK(bad.status().diagnostic().message == "full");
}
