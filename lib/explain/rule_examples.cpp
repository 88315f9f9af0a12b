#include "explain/rule_examples.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "rules/rule_info.h"

namespace dp2trace::explain {
namespace {

using namespace std::
    string_view_literals;  // NOLINT(google-build-using-namespace): for the table; their length is known without counting

constexpr RuleExamples kExamples[] = {
#include "rule_examples.inc"
};

}  // namespace

RuleExamples ExamplesOf(Rule rule) {
  const auto* const found = std::ranges::find(kExamples, Info(rule).id, &RuleExamples::id);
  return found == std::end(kExamples) ? RuleExamples{Info(rule).id, {}, {}} : *found;
}

}  // namespace dp2trace::explain
