#include "base/words.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("SplitWords: what blanks part") {
  using Words = std::vector<std::string_view>;
  CHECK(SplitWords("") == Words{});
  CHECK(SplitWords(" \t\r") == Words{});
  CHECK(SplitWords("one") == Words{"one"});
  CHECK(SplitWords("  one\ttwo  three\r") == Words{"one", "two", "three"});
}
