#include "explain_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/near_miss.h"
#include "console.h"
#include "lint/explain.h"
#include "options.h"
#include "rules/rule_info.h"

namespace dp2trace::app {
namespace {

struct ExplainOptions {
  std::string name;
  text::ListFormat format = text::ListFormat::kText;
};

ExitCode ReportUnknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const RuleInfo& rule : AllRules())
    names.push_back(rule.id);
  const std::vector<std::string_view> groups = lint::RuleGroups();
  names.insert(names.end(), groups.begin(), groups.end());
  return UsageError("'" + name + "' is no rule or group" + NearMissClause(name, names));
}

// All rules of a group: a page in Markdown, otherwise one rule after the other.
std::string ExplainGroup(const ExplainOptions& options) {
  if (options.format == text::ListFormat::kMarkdown) return lint::RulePage(options.name);
  std::string out;
  for (const RuleInfo& rule : AllRules()) {
    if (rule.group() != options.name) continue;
    if (!out.empty() && options.format == text::ListFormat::kText) out += '\n';
    out += lint::ExplainRule(rule.rule, options.format);
  }
  return out;
}

ExitCode RunExplain(const ExplainOptions& options) {
  if (const auto rule = FindRule(options.name))
    return ReportOutput(WriteResult(lint::ExplainRule(*rule, options.format)));
  const std::vector<std::string_view> groups = lint::RuleGroups();
  if (std::ranges::find(groups, options.name) == groups.end()) return ReportUnknown(options.name);
  return ReportOutput(WriteResult(ExplainGroup(options)));
}

}  // namespace

void AddExplainCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain",
      "Explain a rule: what, why, how to mend it, with a trace that breaks it and one that does not");
  command->add_option("RULE", options->name, "Rule or group: DP2-TEXBLT-003, DP2-TEXBLT")
      ->required();
  AddTableFormat(*command, options->format);
  AddExample(*command, "dp2trace explain DP2-STREAM-009");
  command->callback([options, &code] { code = RunExplain(*options); });
}

}  // namespace dp2trace::app
