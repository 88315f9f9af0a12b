#include "validate/rule_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/near_miss.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::validate {
namespace {

constexpr std::string_view kPresetNames[] = {"minimal", "recommended", "pedantic"};

// Source: lib/kmt/packets.md 7 (the rules marked with a dagger: COMPAT lowers them from E to W).
constexpr Rule kCompatibleRules[] = {Rule::kKmtRender017, Rule::kKmtRender018, Rule::kKmtDp2017,
                                     Rule::kKmtDp2018};

constexpr Severity kAllSeverities[] = {Severity::kAdvice, Severity::kWarning, Severity::kError};

bool HasName(const RuleInfo& row, std::string_view selector) {
  if (row.id == selector || Name(row.family) == selector || Name(row.fault) == selector)
    return true;
  return row.id.size() > selector.size() && row.id.starts_with(selector) &&
         row.id[selector.size()] == '-';
}

// Everything that SelectRules() knows, ids first.
std::vector<std::string_view> AllSelectors() {
  std::vector<std::string_view> names;
  for (const RuleInfo& row : AllRules())
    names.push_back(row.id);
  const auto add = [&names](std::string_view name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const RuleInfo& row : AllRules()) {
    add(row.group());
    add(row.id.substr(0, row.id.find('-')));
    add(Name(row.family));
    add(Name(row.fault));
  }
  return names;
}

}  // namespace

std::string_view Name(Preset preset) {
  return kPresetNames[static_cast<size_t>(preset)];
}

std::optional<Preset> FindPreset(std::string_view name) {
  const auto* const found = std::ranges::find(kPresetNames, name);
  if (found == std::end(kPresetNames)) return std::nullopt;
  return static_cast<Preset>(found - std::begin(kPresetNames));
}

RuleSet::RuleSet(Preset preset) : severities_(AllRules().size()), is_disabled_(AllRules().size()) {
  for (const RuleInfo& row : AllRules()) {
    const bool is_on = preset == Preset::kPedantic || row.severity == Severity::kError ||
                       (preset == Preset::kRecommended && row.severity == Severity::kWarning);
    if (is_on) SetSeverity(row.rule, row.severity);
  }
  if (preset != Preset::kMinimal) return;
  for (const Rule rule : kCompatibleRules)
    SetSeverity(rule, Severity::kWarning);
}

void RuleSet::Disable(Rule rule) {
  if (!is_on(rule)) return;
  severities_[static_cast<size_t>(rule)].reset();
  is_disabled_[static_cast<size_t>(rule)] = true;
}

void RuleSet::SetSeverity(Rule rule, Severity severity) {
  severities_[static_cast<size_t>(rule)] = severity;
  is_disabled_[static_cast<size_t>(rule)] = false;
}

std::vector<Rule> SelectRules(std::string_view selector) {
  std::vector<Rule> rules;
  if (selector.empty()) return rules;
  for (const RuleInfo& row : AllRules()) {
    if (HasName(row, selector)) rules.push_back(row.rule);
  }
  return rules;
}

std::string DescribeUnknown(std::string_view selector) {
  return fmt::format("'{}' is not a rule, group, family or fault{}", selector,
                     NearMissClause(selector, AllSelectors()));
}

std::optional<Severity> FindSeverity(std::string_view name) {
  const auto* const found =
      std::ranges::find(kAllSeverities, name, [](Severity severity) { return Name(severity); });
  if (found == std::end(kAllSeverities)) return std::nullopt;
  return *found;
}

}  // namespace dp2trace::validate
