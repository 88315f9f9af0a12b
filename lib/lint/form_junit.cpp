// Findings as JUnit XML: a suite for each file, a case for each rule that found something, one case "clean" where none did.
// Times and host are constants: the same traces give the same bytes.
// Source: the schema of Ant's JUnit reports (JUnit.xsd), which is the strictest of those in use.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "lint/finding_writer.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "text/escape.h"
#include "text/finding.h"

namespace dp2trace::lint {
namespace {

// The findings of a file under one rule.
struct RuleCase {
  Rule rule{};
  Severity severity{};  // the highest
  std::string first;    // message
  std::string text;     // one line each
};

std::vector<RuleCase> CasesOf(const FileFindings& file) {
  std::map<Rule, RuleCase> cases;
  for (const ListedFinding& listed : file.findings) {
    if (listed.accepted) continue;
    const Diagnostic& finding = listed.finding;
    RuleCase& one = cases[finding.rule];
    if (one.text.empty()) one = {finding.rule, finding.severity, finding.message, ""};
    one.severity = std::max(one.severity, finding.severity);
    one.text += text::FormatFinding(file.file, finding) + '\n';
  }
  for (const auto& [rule, count] : file.unlisted) {
    RuleCase& one = cases[rule];
    if (one.text.empty()) one = {rule, Info(rule).severity, std::string(Info(rule).summary), ""};
    one.text += fmt::format("{} more\n", count);
  }
  std::vector<RuleCase> sorted;
  sorted.reserve(cases.size());
  for (auto& [rule, one] : cases)
    sorted.push_back(std::move(one));
  return sorted;
}

std::string CaseElement(std::string_view name, std::string_view classname,
                        const std::string& content) {
  const std::string head = fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"0\"",
                                       text::EscapeXml(name), text::EscapeXml(Plain(classname)));
  return content.empty() ? head + "/>\n" : head + ">\n" + content + "    </testcase>\n";
}

class JunitWriter final : public FindingWriter {
 public:
  JunitWriter(const WriterOptions& options, TextSink sink)
      : fail_on_(options.fail_on), sink_(std::move(sink)) {}

  Status Begin() override {
    return sink_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  }

  Status Add(const FileFindings& file) override {
    const std::vector<RuleCase> cases = CasesOf(file);
    std::string elements;
    std::string rest;
    size_t tests = cases.size();
    size_t failures = 0;
    if (file.failure) {
      ++tests;
      elements += CaseElement(
          "read", file.file,
          fmt::format("      <error type=\"{}\" message=\"{}\"/>\n", Info(file.failure->rule).id,
                      text::EscapeXml(Plain(file.failure->message))));
    }
    for (const RuleCase& one : cases) {
      const bool has_failed = fail_on_ && one.severity >= *fail_on_;
      failures += has_failed ? 1U : 0U;
      if (!has_failed) rest += one.text;
      elements += CaseElement(Info(one.rule).id, file.file, has_failed ? FailureElement(one) : "");
    }
    if (tests == 0) elements += CaseElement("clean", file.file, "");
    return sink_(fmt::format(
        "  <testsuite name=\"{0}\" package=\"dp2trace\" id=\"{1}\" timestamp=\"1970-01-01T00:00:00\" "
        "hostname=\"localhost\" tests=\"{2}\" failures=\"{3}\" errors=\"{4}\" time=\"0\">\n    <properties/>\n"
        "{5}    <system-out>{6}</system-out>\n    <system-err/>\n  </testsuite>\n",
        text::EscapeXml(Plain(file.file)), suites_++, std::max<size_t>(tests, 1), failures,
        file.failure ? 1 : 0, elements, text::EscapeXml(rest)));
  }

  Status Finish(const Outcome&) override { return sink_("</testsuites>\n"); }

 private:
  static std::string FailureElement(const RuleCase& one) {
    return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                       Name(one.severity), text::EscapeXml(Plain(one.first)),
                       text::EscapeXml(one.text));
  }

  std::optional<Severity> fail_on_;
  TextSink sink_;
  uint32_t suites_ = 0;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeJunitWriter(const WriterOptions& options, TextSink sink) {
  return std::make_unique<JunitWriter>(options, std::move(sink));
}

}  // namespace dp2trace::lint
