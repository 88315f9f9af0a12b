#include "rules/rule_info.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Rules: every row is found by its id and says what it objects to") {
  for (const RuleInfo& row : AllRules()) {
    CAPTURE(row.id);
    CHECK(row.id.starts_with(row.group()));
    CHECK(FindRule(row.id) == row.rule);
    CHECK(Info(row.rule).id == row.id);
    CHECK_FALSE(row.summary.empty());
    CHECK_FALSE(row.source.empty());
  }
  CHECK_FALSE(FindRule("DP2-NONE-001").has_value());
}
