#include "rule_options.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "console.h"
#include "explain/explain.h"
#include "json/caps_file.h"
#include "options.h"
#include "rules/rule_info.h"
#include "trace/events.h"

namespace dp2trace::app {
namespace {

std::vector<std::string> OsProfileNames() {
  std::vector<std::string> names;
  for (const EnumValue& value : trace::kOsProfileNames.values)
    names.emplace_back(value.name);
  return names;
}

ExitCode ApplySeverity(const std::string& text, validate::RuleSet& rules) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::optional<Severity> severity =
      equals == std::string::npos
          ? std::nullopt
          : validate::FindSeverity(std::string_view(text).substr(equals + 1));
  if (!severity)
    return UsageError("--severity: '" + text + "' is not ID=error, ID=warning or ID=advice");
  const std::vector<Rule> selected = validate::SelectRules(name);
  if (selected.empty()) return UsageError("--severity: " + validate::DescribeUnknown(name));
  for (const Rule rule : selected)
    rules.SetSeverity(rule, *severity);
  return ExitCode::kOk;
}

ExitCode ApplyCaps(const std::string& path, play::RunnerOptions& validation) {
  trace::Header header;
  const Status status = json::ReadCapsFile(path, header);
  if (!status.ok()) return ReportFailure(path, status);
  validation.caps.emplace().Add(header);
  return ExitCode::kOk;
}

}  // namespace

std::vector<std::string> NamesOfRules() {
  std::vector<std::string> names;
  for (const RuleInfo& rule : AllRules())
    names.emplace_back(rule.id);
  for (const std::string_view group : explain::RuleGroups())
    names.emplace_back(group);
  return names;
}

void AddRuleOptions(Verb& command, RuleOptions& options) {
  command
      .Add("--preset", options.preset,
           "Rules that report: errors only, errors and warnings (recommended), or all")
      .OneOf({"minimal", "recommended", "pedantic"});
  command
      .Add(
          "--disable", options.disabled,
          "Switch off a rule, a group (DP2-TEXBLT, KMT), a family (flags, handles, mip-extents) or a fault (support)")
      .Value("ID|GROUP")
      .Suggest(NamesOfRules)
      .OnePerMention();
  command
      .Add(
          "--severity", options.severities,
          "Set the severity of a rule or group, and switch it on; counts after --preset and --disable")
      .Value("ID=error|warning|advice")
      .OnePerMention();
  command.Add("--ddi", options.level, "Driver level, in place of the header's")
      .Range(6, 9)
      .Value("6|7|8|9");
  command
      .Add("--os-profile", options.os_profile,
           "Operating system of packets, in place of the header's")
      .OneOf(OsProfileNames());
  command
      .Add(
          "--caps", options.caps,
          "What the device claims, in place of the header's: JSON with members of D3DCAPS9 and formats")
      .Value("FILE");
}

ExitCode ApplyRuleOptions(const RuleOptions& options, play::RunnerOptions& validation) {
  validation.rules = validate::RuleSet(*validate::FindPreset(options.preset));
  if (options.preset != validate::Name(validate::Preset::kMinimal)) {
    for (const Rule rule : options.advice)
      validation.rules.SetSeverity(rule, Severity::kAdvice);
  }
  for (const std::string& name : options.disabled) {
    const std::vector<Rule> selected = validate::SelectRules(name);
    if (selected.empty()) return UsageError("--disable: " + validate::DescribeUnknown(name));
    for (const Rule rule : selected)
      validation.rules.Disable(rule);
  }
  for (const std::string& text : options.severities) {
    if (const ExitCode code = ApplySeverity(text, validation.rules); code != ExitCode::kOk)
      return code;
  }
  if (options.level != 0) validation.level = options.level;
  if (!options.os_profile.empty()) {
    validation.os_profile =
        static_cast<trace::OsProfile>(FindValue(trace::kOsProfileNames, options.os_profile)->value);
  }
  return options.caps.empty() ? ExitCode::kOk : ApplyCaps(options.caps, validation);
}

}  // namespace dp2trace::app
