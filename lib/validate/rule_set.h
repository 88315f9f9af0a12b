// Which rules report, and with which severity.
// Source: DESIGN sections 4 and 7.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "base/rules.h"

namespace dp2trace::validate {

// All rules with the severities of the table, until something is switched off or weighed anew.
class RuleSet {
 public:
  RuleSet();

  // Nothing where the rule is switched off.
  std::optional<Severity> severity(Rule rule) const { return severities_[static_cast<size_t>(rule)]; }
  bool is_on(Rule rule) const { return severity(rule).has_value(); }
  void Disable(Rule rule) { severities_[static_cast<size_t>(rule)].reset(); }
  void SetSeverity(Rule rule, Severity severity) { severities_[static_cast<size_t>(rule)] = severity; }

 private:
  std::array<std::optional<Severity>, kRuleCount> severities_;
};

}  // namespace dp2trace::validate
