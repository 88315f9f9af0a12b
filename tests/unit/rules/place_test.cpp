#include "rules/place.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("PlaceInTrace: event and offset, as far as they are known") {
  Diagnostic finding;
  CHECK(PlaceInTrace(finding).empty());
  finding.offset = 0x1c;
  CHECK(PlaceInTrace(finding) == "offset 0x1c");
  finding.event = 7;
  CHECK(PlaceInTrace(finding) == "event 7, offset 0x1c");
  finding.offset.reset();
  CHECK(PlaceInTrace(finding) == "event 7");
}
