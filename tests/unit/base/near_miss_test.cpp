#include "base/near_miss.h"

#include <doctest/doctest.h>

using dp2trace::NearMissClause;

TEST_CASE(
    "NearMissClause: names the nearest word, without regard to case, and nothing that is far off") {
  constexpr std::string_view kNames[] = {"DP2-TEXBLT-001", "DP2-TEXBLT-003", "KMT-RENDER-017"};
  CHECK(NearMissClause("DP2-TEXBLT-03", kNames) == "; did you mean DP2-TEXBLT-003?");
  CHECK(NearMissClause("kmt-rendr-017", kNames) == "; did you mean KMT-RENDER-017?");
  CHECK(NearMissClause("recommended", kNames).empty());
  CHECK(NearMissClause("", kNames).empty());
}

TEST_CASE(
    "NearMissClause: a word of three letters may differ in one, the first of equals is named") {
  constexpr std::string_view kNames[] = {"abc", "abd"};
  CHECK(NearMissClause("abe", kNames) == "; did you mean abc?");
  CHECK(NearMissClause("xyc", kNames).empty());
  constexpr std::string_view kVerbs[] = {"accept", "check"};
  CHECK(NearMissClause("chekc", kVerbs) == "; did you mean check?");
}
