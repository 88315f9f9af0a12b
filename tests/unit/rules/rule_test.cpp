#include "rules/rule.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Diagnostic: an event finding prints the event and the offset") {
  Diagnostic diagnostic = MakeDiagnostic(Rule::kDp2Stream002, "8 bytes needed, 3 remain");
  diagnostic.event = 12;
  diagnostic.offset = 0x1a4;
  diagnostic.path = "commands/17";
  CHECK(
      FormatDiagnostic("a.dp2t", diagnostic) ==
      "a.dp2t: event 12, offset 0x1a4: error: 8 bytes needed, 3 remain [DP2-STREAM-002] (commands/17)");
}

TEST_CASE("Diagnostic: a container finding prints the offset, a text finding FILE:LINE") {
  Diagnostic diagnostic = MakeDiagnostic(Rule::kTrace002, "no magic");
  diagnostic.offset = 0;
  CHECK(FormatDiagnostic("a.dp2t", diagnostic) ==
        "a.dp2t: offset 0x0: error: no magic [TRACE-002]");
  diagnostic.line = 7;
  CHECK(FormatDiagnostic("a.json", diagnostic) == "a.json:7: error: no magic [TRACE-002]");
}

TEST_CASE("Rule: what base reports has the rows of reading and writing files") {
  CHECK(Rule::kTrace001 == kCannotRead);
  CHECK(Rule::kIo001 == kCannotWrite);
}
