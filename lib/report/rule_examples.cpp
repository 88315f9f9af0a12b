#include "report/rule_examples.h"

#include <algorithm>
#include <iterator>

namespace dp2trace::report {
namespace {

constexpr RuleExamples kExamples[] = {
#include "rule_examples.inc"
};

}  // namespace

RuleExamples ExamplesOf(Rule rule) {
  const auto* const found = std::ranges::find(kExamples, Info(rule).id, &RuleExamples::id);
  return found == std::end(kExamples) ? RuleExamples{Info(rule).id, {}, {}} : *found;
}

}  // namespace dp2trace::report
