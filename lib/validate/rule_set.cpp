#include "validate/rule_set.h"

namespace dp2trace::validate {

RuleSet::RuleSet() {
  for (const RuleInfo& row : AllRules()) SetSeverity(row.rule, row.severity);
}

}  // namespace dp2trace::validate
