#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "options.h"
#include "rule_options.h"
#include "rules/rule_info.h"
#include "tables/list.h"
#include "validate/rule_set.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct RulesOptions {
  std::vector<std::string> groups;
  std::string preset;    // empty: all rules
  std::string severity;  // empty: any
  tables::ListFormat format = tables::ListFormat::kText;
};

ExitCode RunRules(const RulesOptions& options) {
  std::vector<Rule> chosen;
  for (const std::string& group : options.groups) {
    const std::vector<Rule> rules = validate::SelectRules(group);
    if (rules.empty()) {
      return UsageError("--group: " + validate::DescribeUnknown(group));
    }
    chosen.insert(chosen.end(), rules.begin(), rules.end());
  }
  const validate::RuleSet preset(options.preset.empty() ? validate::Preset::kPedantic
                                                        : *validate::FindPreset(options.preset));
  std::vector<Rule> rules;
  for (const RuleInfo& row : AllRules()) {
    const bool is_chosen =
        options.groups.empty() || std::ranges::find(chosen, row.rule) != chosen.end();
    const std::optional<Severity> severity = preset.severity(row.rule);
    if (is_chosen && severity && (options.severity.empty() || options.severity == Name(*severity)))
      rules.push_back(row.rule);
  }
  return ReportOutput(WriteResult(tables::ListRules(options.format, rules)));
}

}  // namespace

void AddRules(Verb& program) {
  auto options = std::make_shared<RulesOptions>();
  Verb& command = program.AddVerb(
      "rules",
      "Print the rules: id, severity and what each objects to; all columns, with the sources, in JSON");
  command
      .Add("--group", options->groups,
           "Only a group, family or fault: DP2-TEXBLT, KMT, flags, handles, mip-extents, support")
      .Value("GROUP")
      .Suggest(NamesOfRules)
      .OnePerMention();
  command.Add("--preset", options->preset, "Only the rules that report in this preset")
      .OneOf({"minimal", "recommended", "pedantic"});
  command.Add("--severity", options->severity, "Only rules of this severity, as --preset sets it")
      .OneOf({"error", "warning", "advice"});
  AddTableFormat(command, options->format);
  command.SetExample("dp2trace rules --group mip-extents --format json");
  command.OnRun([options] { return RunRules(*options); });
}

}  // namespace dp2trace::app
