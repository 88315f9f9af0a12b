#include "base/rules.h"

#include <algorithm>

namespace dp2trace {
namespace {

constexpr RuleInfo kRules[] = {
#define DP2TRACE_RULE(enumerator, id, severity, source, summary) \
  {Rule::enumerator, id, Severity::severity, source, summary},
#include "base/rules.def"
#undef DP2TRACE_RULE
};

constexpr bool IdsAreUnique() {
  for (size_t i = 0; i < std::size(kRules); ++i) {
    for (size_t j = i + 1; j < std::size(kRules); ++j) {
      if (kRules[i].id == kRules[j].id) return false;
    }
  }
  return true;
}
static_assert(IdsAreUnique());

}  // namespace

std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kAdvice: return "advice";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return "error";
}

const RuleInfo& Info(Rule rule) { return kRules[static_cast<size_t>(rule)]; }

std::optional<Rule> FindRule(std::string_view id) {
  const auto* row = std::ranges::find(kRules, id, &RuleInfo::id);
  if (row == std::end(kRules)) return std::nullopt;
  return row->rule;
}

std::span<const RuleInfo> AllRules() { return kRules; }

}  // namespace dp2trace
