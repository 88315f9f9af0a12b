#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/near_miss.h"
#include "base/words.h"
#include "console.h"
#include "explain/explain.h"
#include "options.h"
#include "rule_options.h"
#include "rules/rule_info.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct ExplainOptions {
  std::string name;
  tables::ListFormat format = tables::ListFormat::kText;
};

ExitCode ReportUnknown(const std::string& name) {
  const std::vector<std::string> names = NamesOfRules();
  return UsageError(
      "'" + name + "' is not a rule or a group, and no rule has it in its text" +
      NearMissClause(name, std::vector<std::string_view>(names.begin(), names.end())));
}

// Without regard to case, of ASCII.
bool Contains(std::string_view text, std::string_view word) {
  return InLowerCase(text).find(InLowerCase(word)) != std::string::npos;
}

bool IsGroup(std::string_view word) {
  const std::vector<std::string_view> groups = explain::RuleGroups();
  return std::ranges::find(groups, word) != groups.end();
}

// The rules of a group, or else those that have the word in one of their texts.
std::vector<Rule> RulesOf(const std::string& word) {
  const bool is_group = IsGroup(word);
  std::vector<Rule> rules;
  for (const RuleInfo& rule : AllRules()) {
    const bool is_meant = is_group ? rule.group() == word
                                   : Contains(rule.id, word) || Contains(rule.summary, word) ||
                                         Contains(rule.reason, word) || Contains(rule.remedy, word);
    if (is_meant) rules.push_back(rule.rule);
  }
  return rules;
}

// A group as the page of it, where Markdown is asked for; otherwise a list.
std::string DescribeRules(const std::string& word, const std::vector<Rule>& rules,
                          tables::ListFormat format) {
  const bool is_page = format == tables::ListFormat::kMarkdown && IsGroup(word);
  return is_page ? explain::RulePage(word) : tables::ListRules(format, rules);
}

ExitCode RunExplain(const ExplainOptions& options) {
  if (const auto rule = FindRule(options.name))
    return ReportOutput(WriteResult(explain::ExplainRule(*rule, options.format)));
  const std::vector<Rule> rules = RulesOf(options.name);
  if (rules.empty()) return ReportUnknown(options.name);
  if (rules.size() == 1)
    return ReportOutput(WriteResult(explain::ExplainRule(rules.front(), options.format)));
  return ReportOutput(WriteResult(DescribeRules(options.name, rules, options.format)));
}

}  // namespace

void AddExplain(Verb& program) {
  auto options = std::make_shared<ExplainOptions>();
  Verb& command = program.AddVerb(
      "explain",
      "Explain a rule: what it objects to, why, how to fix it, with examples; or search the rules");
  command
      .Add("RULE", options->name,
           "A rule (DP2-TEXBLT-003), a group (DP2-TEXBLT), or a word to search for (ALPHAOP)")
      .Required()
      .Suggest(NamesOfRules);
  AddTableFormat(command, options->format);
  command.SetExample("dp2trace explain DP2-STREAM-009");
  command.OnRun([options] { return RunExplain(*options); });
}

}  // namespace dp2trace::app
