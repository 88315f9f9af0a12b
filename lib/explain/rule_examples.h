// A trace that breaks a rule and one that barely passes: the first ones of traces/rules/RULE.json, built in.
#pragma once

#include <string_view>

#include "base/rule.h"

namespace dp2trace::explain {

struct RuleExample {
  std::string_view name;  // of the case; empty: there is none
  std::string_view text;  // JSON; empty where the case is not a trace in JSON, or long
};

struct RuleExamples {
  std::string_view id;
  RuleExample broken;
  RuleExample legal;
};

// Empty names for a rule without traces.
RuleExamples ExamplesOf(Rule rule);

}  // namespace dp2trace::explain
