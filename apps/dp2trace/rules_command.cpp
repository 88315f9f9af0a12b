#include "rules_command.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "options.h"
#include "rules/rule_info.h"
#include "text/list.h"
#include "validate/rule_set.h"

namespace dp2trace::app {
namespace {

struct RulesOptions {
  std::vector<std::string> groups;
  std::string preset;    // empty: all rules
  std::string severity;  // empty: any
  text::ListFormat format = text::ListFormat::kText;
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
  return ReportOutput(WriteResult(text::ListRules(options.format, rules)));
}

}  // namespace

void AddRulesCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = app.add_subcommand(
      "rules",
      "Print the rules: id, severity and what each objects to; all columns, with the sources, in JSON");
  command
      ->add_option(
          "--group", options->groups,
          "Only a group, family or fault: DP2-TEXBLT, KMT, flags, handles, mip-extents, support")
      ->type_name("GROUP")
      ->allow_extra_args(false);
  command->add_option("--preset", options->preset, "Only the rules that report in this preset")
      ->check(OneOf({"minimal", "recommended", "pedantic"}))
      ->type_name("minimal|recommended|pedantic");
  command
      ->add_option("--severity", options->severity,
                   "Only rules of this severity, with --preset as it weighs them")
      ->check(OneOf({"error", "warning", "advice"}))
      ->type_name("error|warning|advice");
  AddTableFormat(*command, options->format);
  AddExample(*command, "dp2trace rules --group mip-extents --format json");
  command->callback([options, &code] { code = RunRules(*options); });
}

}  // namespace dp2trace::app
