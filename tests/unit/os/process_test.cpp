#include "os/process.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("process: this one runs, and one that no system has does not") {
  CHECK(IsRunning(ProcessNumber()));
  CHECK_FALSE(IsRunning(999999999));
  CHECK_FALSE(IsRunning(0));
  CHECK_FALSE(IsRunning(INT64_MAX));
}

TEST_CASE("process: digits that nobody can foresee") {
  const std::string digits = RandomDigits();
  CHECK(digits.size() == 16);
  CHECK(digits.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(RandomDigits() != digits);
}
