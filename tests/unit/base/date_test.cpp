#include "base/date.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("IsDate: only days that exist") {
  for (const char* const day : {"2027-01-31", "2028-02-29", "2000-02-29", "2027-12-01"})
    CHECK(IsDate(day));
  for (const char* const text :
       {"2027-02-29", "1900-02-29", "2027-04-31", "2027-00-10", "2027-13-01", "2027-01-00",
        "2027-1-01", "27-01-01", "2027/01/01", "", "2027-01-01 "}) {
    CAPTURE(text);
    CHECK_FALSE(IsDate(text));
  }
}

TEST_CASE("Today: is a day") {
  CHECK(IsDate(Today()));
}
