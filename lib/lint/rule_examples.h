// A trace that breaks a rule and one that only just does not: the first ones of traces/malformed and traces/accepted, built in.
#pragma once

#include <string_view>

#include "base/rule.h"

namespace dp2trace::lint {

struct RuleExample {
  std::string_view path;  // below traces/; empty: there is none
  std::string_view text;  // JSON; empty where the trace is a container or long
};

struct RuleExamples {
  std::string_view id;
  RuleExample broken;
  RuleExample legal;
};

// Empty paths for a rule without traces.
RuleExamples ExamplesOf(Rule rule);

}  // namespace dp2trace::lint
