#include "validate/rule_set.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace dp2trace;            // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::validate;  // NOLINT(google-build-using-namespace): test file

namespace {

bool Has(const std::vector<Rule>& rules, Rule rule) {
  return std::ranges::find(rules, rule) != rules.end();
}

}  // namespace

TEST_CASE("RuleSet: minimal has only errors, those of COMPAT as warnings") {
  const RuleSet rules(Preset::kMinimal);
  for (const RuleInfo& row : AllRules()) {
    CAPTURE(row.id);
    const bool is_compatible = row.id == "KMT-RENDER-017" || row.id == "KMT-RENDER-018" ||
                               row.id == "KMT-DP2-017" || row.id == "KMT-DP2-018";
    CHECK(rules.is_on(row.rule) == (row.severity == Severity::kError || is_compatible));
    if (rules.is_on(row.rule))
      CHECK(rules.severity(row.rule) == (is_compatible ? Severity::kWarning : Severity::kError));
  }
}

TEST_CASE("RuleSet: recommended adds warnings, pedantic everything") {
  const RuleSet recommended(Preset::kRecommended);
  const RuleSet pedantic;
  for (const RuleInfo& row : AllRules()) {
    CAPTURE(row.id);
    CHECK(recommended.is_on(row.rule) == (row.severity != Severity::kAdvice));
    CHECK(pedantic.severity(row.rule) == row.severity);
  }
}

TEST_CASE("RuleSet: what is disabled is still wanted, a severity switches it on again") {
  RuleSet rules(Preset::kRecommended);
  rules.Disable(Rule::kDp2Stream009);
  CHECK_FALSE(rules.is_on(Rule::kDp2Stream009));
  CHECK(rules.Wants(Rule::kDp2Stream009));
  rules.SetSeverity(Rule::kDp2Stream009, Severity::kError);
  CHECK(rules.severity(Rule::kDp2Stream009) == Severity::kError);
  CHECK_FALSE(rules.is_disabled(Rule::kDp2Stream009));
  // What the preset leaves out is not counted as switched off.
  rules.Disable(Rule::kDp2Stream013);
  CHECK_FALSE(rules.Wants(Rule::kDp2Stream013));
}

TEST_CASE("SelectRules: ids, groups, families and faults; a part of a word is not a group") {
  CHECK(SelectRules("DP2-STREAM-009") == std::vector<Rule>{Rule::kDp2Stream009});
  const std::vector<Rule> stream = SelectRules("DP2-STREAM");
  CHECK(stream.size() == 16);
  CHECK(Has(stream, Rule::kDp2Stream016));
  CHECK(SelectRules("KMT").size() > 150);
  CHECK(SelectRules("DP2-STR").empty());
  CHECK(SelectRules("").empty());
  for (const Rule rule : SelectRules("flags"))
    CHECK(Info(rule).family == RuleFamily::kFlags);
  CHECK(Has(SelectRules("file"), Rule::kTrace001));
}

TEST_CASE("DescribeUnknown: names the nearest") {
  CHECK(DescribeUnknown("DP2-STREM") ==
        "'DP2-STREM' is not a rule, group, family or fault; did you mean DP2-STREAM?");
  CHECK(DescribeUnknown("flag").ends_with("did you mean flags?"));
}
