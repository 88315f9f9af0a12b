#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/words.h"
#include "explain/rule_examples.h"
#include "json/builder.h"
#include "json/output.h"
#include "rules/rule_info.h"
#include "rules/silent_rules.h"
#include "rules/source.h"

namespace dp2trace::explain {
namespace {

struct Fact {
  std::string_view name;
  std::string value;
};

// What is known of a rule beside its sentences; empty values are left out.
std::vector<Fact> FactsOf(const RuleInfo& rule) {
  const std::string_view silence = SilenceOf(rule.rule);
  std::vector<Fact> facts = {
      {"severity", std::string(Name(rule.severity))},
      {"fault", fmt::format("{}: {}", Name(rule.fault), Describe(rule.fault, rule.severity))},
      {"family", std::string(Name(rule.family))},
      {"scope", std::string(Name(rule.scope))},
      {"since", std::string(rule.since)},
      {"status", std::string(rule.status)},
      {"fires", silence.empty() ? std::string() : fmt::format("never: {}", silence)}};
  std::erase_if(facts, [](const Fact& fact) { return fact.value.empty(); });
  return facts;
}

// Characters that Markdown would read.
std::string Plain(std::string_view text) {
  constexpr std::string_view kSpecial = "|*_<>[]`\\";
  std::string out;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The file with the cases of a rule.
std::string CasesOf(const RuleInfo& rule) {
  return fmt::format("traces/rules/{}.json", rule.id);
}

// ---------- text ----------

void AppendTrace(std::string& out, std::string_view title, const RuleInfo& rule,
                 const RuleExample& example) {
  if (example.name.empty()) return;
  out += fmt::format("\n{} ({}: {})\n{}", title, CasesOf(rule), example.name, example.text);
}

std::string ExplainAsText(const RuleInfo& rule) {
  std::string out = fmt::format("{}: {}\n\n", rule.id, rule.summary);
  for (const Fact& fact : FactsOf(rule))
    out += fmt::format("{:<9} {}\n", fact.name, fact.value);
  std::string_view title = "source";
  for (const RuleSource* const source : SourcesOf(rule)) {
    out += fmt::format("{:<9} {}\n", title, Describe(*source));
    title = "";
  }
  if (!rule.reason.empty()) out += fmt::format("\nWhy\n{}\n", rule.reason);
  if (!rule.remedy.empty()) out += fmt::format("\nHow to fix it\n{}\n", rule.remedy);
  const RuleExamples examples = ExamplesOf(rule.rule);
  AppendTrace(out, "A trace that breaks it", rule, examples.broken);
  AppendTrace(out, "A trace that barely passes", rule, examples.legal);
  return out;
}

// ---------- JSON ----------

void AppendExample(json::Builder& out, std::string_view key, const RuleInfo& rule,
                   const RuleExample& example) {
  if (example.name.empty()) return;
  out.Key(key);
  out.Raw("{\"path\":");
  out.String(CasesOf(rule));
  out.Key("name");
  out.String(example.name);
  if (!example.text.empty()) {
    out.Key("trace");
    out.String(example.text);
  }
  out.Raw('}');
}

void AppendSources(json::Builder& out, const RuleInfo& rule) {
  out.Key("sources");
  out.Raw('[');
  bool is_first = true;
  for (const RuleSource* const source : SourcesOf(rule)) {
    if (!is_first) out.Separate();
    is_first = false;
    out.Raw('{');
    out.Key("name");
    out.String(source->name);
    out.Key(source->is_page() ? "page" : "url");
    out.String(source->place);
    out.Raw('}');
  }
  out.Raw(']');
}

std::string ExplainAsJson(const RuleInfo& rule) {
  json::Builder out;
  out.Raw(json::OutputHead("explain"));
  const auto add = [&out](std::string_view key, std::string_view value) {
    out.Key(key);
    out.String(value);
  };
  add("id", rule.id);
  add("severity", Name(rule.severity));
  add("fault", Name(rule.fault));
  add("family", Name(rule.family));
  add("scope", Name(rule.scope));
  add("since", rule.since);
  add("status", rule.status);
  AppendSources(out, rule);
  add("summary", rule.summary);
  add("reason", rule.reason);
  add("remedy", rule.remedy);
  if (const std::string_view silence = SilenceOf(rule.rule); !silence.empty())
    add("never", silence);
  const RuleExamples examples = ExamplesOf(rule.rule);
  AppendExample(out, "bad", rule, examples.broken);
  AppendExample(out, "good", rule, examples.legal);
  out.Raw("}\n");
  return out.string();
}

// ---------- Markdown ----------

// The part of a rule that a page of its group has, too. `link` makes the link to a source.
void AppendSection(std::string& out, const RuleInfo& rule,
                   const std::function<std::string(const RuleSource&)>& link) {
  out += fmt::format("{}\n\n", Plain(rule.summary));
  for (const Fact& fact : FactsOf(rule))
    out += fmt::format("* {}: {}\n", fact.name, Plain(fact.value));
  for (const RuleSource* const source : SourcesOf(rule))
    out += fmt::format("* source: {}\n", link(*source));
  if (!rule.reason.empty()) out += fmt::format("\n**Why.** {}\n", Plain(rule.reason));
  if (!rule.remedy.empty()) out += fmt::format("\n**How to fix it.** {}\n", Plain(rule.remedy));
}

void AppendFenced(std::string& out, std::string_view title, const RuleInfo& rule,
                  const RuleExample& example) {
  if (example.name.empty()) return;
  out += fmt::format("\n## {}\n\n`{}`: `{}`\n", title, CasesOf(rule), example.name);
  if (!example.text.empty()) out += fmt::format("\n```json\n{}```\n", example.text);
}

std::string ExplainAsMarkdown(const RuleInfo& rule) {
  std::string out = fmt::format("# {}\n\n", rule.id);
  AppendSection(out, rule, [](const RuleSource& source) { return DescribeAsMarkdown(source, ""); });
  const RuleExamples examples = ExamplesOf(rule.rule);
  AppendFenced(out, "A trace that breaks it", rule, examples.broken);
  AppendFenced(out, "A trace that barely passes", rule, examples.legal);
  return out;
}

void AppendLink(std::string& out, const RuleInfo& rule) {
  const RuleExamples examples = ExamplesOf(rule.rule);
  const bool is_broken = !examples.broken.name.empty();
  if (!is_broken && examples.legal.name.empty()) return;
  const std::string cases = CasesOf(rule);
  std::string_view what = "Example and counter-example in";
  if (!is_broken) what = "Counter-example in";
  if (examples.legal.name.empty()) what = "Example in";
  out += fmt::format("\n{} [`{}`](../../../{}).\n", what, cases, cases);
}

}  // namespace

std::string ExplainRule(Rule rule, tables::ListFormat format) {
  switch (format) {
    case tables::ListFormat::kText:
      return ExplainAsText(Info(rule));
    case tables::ListFormat::kJson:
      return ExplainAsJson(Info(rule));
    case tables::ListFormat::kMarkdown:
      return ExplainAsMarkdown(Info(rule));
  }
  return {};
}

std::vector<std::string_view> RuleGroups() {
  std::vector<std::string_view> groups;
  for (const RuleInfo& rule : AllRules()) {
    if (std::ranges::find(groups, rule.group()) == groups.end()) groups.push_back(rule.group());
  }
  return groups;
}

std::string RulePage(std::string_view group) {
  std::string out = fmt::format(
      "<!-- Generated by: dp2trace explain {0} --format markdown -->\n\n# {0}\n\n| rule | severity | what is objected to |\n|---|---|---|\n",
      group);
  std::string sections;
  SourceLinks links("../../../");
  for (const RuleInfo& rule : AllRules()) {
    if (rule.group() != group) continue;
    const std::string anchor = InLowerCase(rule.id);
    out += fmt::format("| [{}](#{}) | {} | {} |\n", rule.id, anchor, Name(rule.severity),
                       Plain(rule.summary));
    sections += fmt::format("\n## {}\n\n", rule.id);
    AppendSection(sections, rule,
                  [&links](const RuleSource& source) { return links.Link(source); });
    AppendLink(sections, rule);
  }
  return out + sections + "\n" + links.Definitions();
}

}  // namespace dp2trace::explain
