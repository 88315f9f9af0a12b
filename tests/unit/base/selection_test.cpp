#include "base/selection.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// The numbers of 0 to 12 that the text selects, "error" where it is not a selection.
std::string Selected(std::string_view text, std::optional<uint64_t> last = std::nullopt) {
  std::string error;
  std::optional<Selection> selection = Selection::Parse(text, error);
  if (!selection) return "error";
  selection->Resolve(last);
  std::string numbers;
  for (uint64_t i = 0; i <= 12; ++i) {
    if (selection->Contains(i)) numbers += (numbers.empty() ? "" : " ") + std::to_string(i);
  }
  return numbers;
}

}  // namespace

TEST_CASE("Selection: each form selects what it says") {
  CHECK(Selected("3") == "3");
  CHECK(Selected("3-5") == "3 4 5");
  CHECK(Selected("11-") == "11 12");
  CHECK(Selected("-2") == "0 1 2");
  CHECK(Selected("1-9/4") == "1 5 9");
  CHECK(Selected("9-/2") == "9 11");
  CHECK(Selected("-6/3") == "0 3 6");
  CHECK(Selected("none").empty());
  CHECK(Selected("all") == "0 1 2 3 4 5 6 7 8 9 10 11 12");
  CHECK(Selected("7,2-3,none,12") == "2 3 7 12");
}

TEST_CASE("Selection: last is what Resolve says") {
  CHECK(Selected("last", 4) == "4");
  CHECK(Selected("1,last", 9) == "1 9");
  CHECK(Selected("1,last") == "1");
  std::string error;
  CHECK(Selection::Parse("1,last", error)->needs_last());
  CHECK_FALSE(Selection::Parse("all", error)->needs_last());
  auto last = Selection::Parse("last", error);
  last->Resolve(5);
  CHECK(last->held_last());
  CHECK_FALSE(Selection::Parse("5", error)->held_last());
}

TEST_CASE("Selection: what is not a selection is refused and quoted") {
  for (const char* text : {"", ",", "1,", "a", "-", "1-2-3", "5-3", "1-9/0", "1/2", "1-9/", " 1",
                           "18446744073709551616", "+1", "0x1"}) {
    CAPTURE(text);
    CHECK(Selected(text) == "error");
  }
  std::string error;
  CHECK_FALSE(Selection::Parse("1,x7", error).has_value());
  CHECK(error.find("'x7'") != std::string::npos);
}

TEST_CASE("Selection: the largest number is a number") {
  std::string error;
  const std::optional<Selection> selection = Selection::Parse("18446744073709551615", error);
  REQUIRE(selection.has_value());
  CHECK(selection->Contains(UINT64_MAX));
  CHECK_FALSE(selection->Contains(0));
}

TEST_CASE("Selection: the default is everything, and its end is known") {
  CHECK(Selection().is_all());
  std::string error;
  CHECK(Selection::Parse("3,all", error)->is_all());
  CHECK_FALSE(Selection::Parse("0-5", error)->is_all());
  CHECK(Selection::Parse("0-5", error)->IsPast(6));
  CHECK_FALSE(Selection::Parse("0-5", error)->IsPast(5));
  CHECK_FALSE(Selection::Parse("last", error)->IsPast(5));
  CHECK(Selection::Parse("none", error)->IsPast(0));
}
