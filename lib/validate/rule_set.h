// Which rules report, and with which severity.
// Source: lib/design.md 4 and 7.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rule.h"

namespace dp2trace::validate {

// Where a rule set starts.
enum class Preset : uint8_t {
  kMinimal,      // errors; those of the COMPAT profile of packets count as warnings
  kRecommended,  // errors and warnings
  kPedantic,     // everything
};
// "minimal", "recommended", "pedantic".
std::string_view Name(Preset preset);
std::optional<Preset> FindPreset(std::string_view name);

// All rules with the severities of the table, until something is switched off or given another severity.
class RuleSet {
 public:
  RuleSet() : RuleSet(Preset::kPedantic) {}
  explicit RuleSet(Preset preset);

  // Nothing where the rule does not report.
  std::optional<Severity> severity(Rule rule) const {
    return severities_[static_cast<size_t>(rule)];
  }
  bool is_on(Rule rule) const { return severity(rule).has_value(); }
  // Switched off by Disable(): worked out all the same, so that a Disable() without effect can be reported.
  bool is_disabled(Rule rule) const { return is_disabled_[static_cast<size_t>(rule)]; }
  bool Wants(Rule rule) const { return is_on(rule) || is_disabled(rule); }
  // The rule does not report, as if the preset lacked it.
  void Mute(Rule rule) { severities_[static_cast<size_t>(rule)].reset(); }
  // Has no effect on a rule that does not report.
  void Disable(Rule rule);
  // Switches the rule on, too.
  void SetSeverity(Rule rule, Severity severity);

 private:
  std::vector<std::optional<Severity>> severities_;
  std::vector<bool> is_disabled_;
};

// The rules that a user names: by id ("DP2-TEXBLT-003"), by the start of the id ("DP2-TEXBLT", "KMT"), by family ("flags") or by who is
// at fault ("support"). Empty where nothing has this name.
std::vector<Rule> SelectRules(std::string_view selector);
// "'DP2-TEXBLT-3' is not a rule, group, family or fault; did you mean DP2-TEXBLT-003?"
std::string DescribeUnknown(std::string_view selector);
// "error", "warning", "advice".
std::optional<Severity> FindSeverity(std::string_view name);

}  // namespace dp2trace::validate
