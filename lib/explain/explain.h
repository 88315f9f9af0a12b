// What a rule means: for a person who has a finding before them, and as the pages beside the rule table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/rule.h"
#include "tables/list.h"

namespace dp2trace::explain {

// Everything about one rule, with a trace that breaks it and one that barely passes. Ends with a newline.
std::string ExplainRule(Rule rule, tables::ListFormat format);

// Groups of rules, "DP2-STREAM", in table order.
std::vector<std::string_view> RuleGroups();
// The page of a group below lib/rules/pages: all its rules, with links to their traces.
std::string RulePage(std::string_view group);

}  // namespace dp2trace::explain
