#include "blame/bisection.h"

#include <doctest/doctest.h>

#include <vector>

#include "rules/rule.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using blame::FirstWrong;
using blame::Shown;

namespace {

std::vector<Shown> OneTarget(size_t count) {
  std::vector<Shown> pictures;
  for (size_t i = 0; i < count; ++i)
    pictures.push_back({i + 1, 1});
  return pictures;
}

}  // namespace

TEST_CASE("bisection: the first wrong picture of each length, with few looks") {
  for (size_t count = 1; count <= 65; ++count) {
    const std::vector<Shown> pictures = OneTarget(count);
    for (size_t first = 0; first < count; ++first) {
      CAPTURE(count);
      CAPTURE(first);
      const auto found =
          blame::FindFirstWrong(pictures, [&](size_t i) -> Result<bool> { return i >= first; });
      REQUIRE(found.ok());
      REQUIRE(found->has_value());
      CHECK((*found)->index == first);
      CHECK((*found)->last_right == (first == 0 ? std::nullopt : std::optional(first - 1)));
      CHECK((*found)->looks <= 8);
    }
  }
}

TEST_CASE("bisection: nothing is found where the last picture is right, or there is none") {
  const auto is_right = [](size_t) -> Result<bool> { return false; };
  const auto some = blame::FindFirstWrong(OneTarget(9), is_right);
  REQUIRE(some.ok());
  CHECK_FALSE(some->has_value());
  const auto none = blame::FindFirstWrong({}, is_right);
  REQUIRE(none.ok());
  CHECK_FALSE(none->has_value());
}

TEST_CASE("bisection: a wrong picture is followed to the first of its own target") {
  // Targets change: 1 2 1 2 ...; those of target 2 are wrong from index 3 on, those of target 1 from index 8 on.
  std::vector<Shown> pictures;
  for (size_t i = 0; i < 20; ++i)
    pictures.push_back({i + 1, 1 + i % 2});
  const auto is_wrong = [](size_t i) -> Result<bool> { return i >= (i % 2 == 1 ? 3U : 8U); };
  const auto found = blame::FindFirstWrong(pictures, is_wrong);
  REQUIRE(found.ok());
  REQUIRE(found->has_value());
  const FirstWrong& first = **found;
  CHECK(*is_wrong(first.index));
  REQUIRE(first.last_right);
  CHECK(*first.last_right == first.index - 2);
  CHECK_FALSE(*is_wrong(*first.last_right));
}

TEST_CASE("bisection: a look that fails ends the search") {
  const auto found = blame::FindFirstWrong(OneTarget(9), [](size_t i) -> Result<bool> {
    if (i == 4) return Failure(Rule::kIo001, "no picture");
    return true;
  });
  REQUIRE_FALSE(found.ok());
  CHECK(found.status().diagnostic().message == "no picture");
}
