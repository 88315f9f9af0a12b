// Findings as SARIF 2.1.0 (OASIS): every rule declared, every finding a result, an empty run where there is none.
// Source: Static Analysis Results Interchange Format 2.1.0, 3.18 to 3.51.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/plain_text.h"
#include "json/append.h"
#include "json/builder.h"
#include "json/sarif.h"
#include "lint/finding_json.h"
#include "rules/place.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "rules/source.h"
#include "text/finding.h"

namespace dp2trace::lint {
namespace {

std::string_view LevelOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kAdvice:
      return "note";
  }
  return "none";
}

// How GitHub sorts alerts.
std::string_view ProblemOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kAdvice:
      return "recommendation";
  }
  return "recommendation";
}

std::string HelpMarkdown(const RuleInfo& rule, std::string_view reason) {
  std::string help = fmt::format("**{}**: {}\n\n{}\n", rule.id, rule.summary, reason);
  if (!rule.remedy.empty()) help += fmt::format("\n**To fix it:** {}\n", rule.remedy);
  help += "\nSources:\n";
  for (const RuleSource* const source : SourcesOf(rule)) {
    // What reads this does not know where the repository is.
    help += source->is_page() ? fmt::format("* {}, `{}`\n", source->name, source->place)
                              : fmt::format("* {}\n", DescribeAsMarkdown(*source, ""));
  }
  return help + fmt::format("\n`dp2trace explain {}` shows more.\n", rule.id);
}

std::string HelpText(const RuleInfo& rule, std::string_view reason) {
  std::string help(reason);
  if (!rule.remedy.empty()) help += fmt::format(" {}", rule.remedy);
  for (const RuleSource* const source : SourcesOf(rule))
    help += fmt::format("\nSource: {}", Describe(*source));
  return help;
}

// Where the first document of the rule is on the net.
void AppendHelpUri(json::Builder& out, const RuleInfo& rule) {
  for (const RuleSource* const source : SourcesOf(rule)) {
    if (source->is_page()) continue;
    AppendString(out, "helpUri", source->place);
    return;
  }
}

void AppendRule(json::Builder& out, const RuleInfo& rule) {
  const std::string reason = rule.reason.empty() ? std::string(Describe(rule.fault, rule.severity))
                                                 : std::string(rule.reason);
  out.Raw('{');
  AppendString(out, "id", rule.id);
  json::AppendSarifMessage(out, "shortDescription", rule.summary);
  json::AppendSarifMessage(out, "fullDescription", reason);
  json::AppendSarifMessage(out, "help", HelpText(rule, reason), HelpMarkdown(rule, reason));
  AppendHelpUri(out, rule);
  out.Key("defaultConfiguration");
  out.Raw('{');
  AppendString(out, "level", LevelOf(rule.severity));
  out.Raw('}');
  out.Key("properties");
  out.Raw('{');
  AppendString(out, "problem.severity", ProblemOf(rule.severity));
  AppendString(out, "fault", Name(rule.fault));
  AppendString(out, "family", Name(rule.family));
  AppendString(out, "scope", Name(rule.scope));
  AppendString(out, "since", rule.since);
  out.Key("tags");
  out.Raw('[');
  out.String(rule.group());
  out.Separate();
  out.String(Name(rule.fault));
  if (rule.family != RuleFamily::kNone) {
    out.Separate();
    out.String(Name(rule.family));
  }
  out.Raw("]}}");
}

// A region of text. In a container the event and the offset in its command buffer are the place: a logical one. What has no event stands
// at a byte of the file.
void AppendRegion(json::Builder& out, const Diagnostic& finding) {
  const bool is_of_file = finding.offset && !finding.event;
  if (finding.line == 0 && !is_of_file) return;
  out.Key("region");
  out.Raw('{');
  if (finding.line != 0) {
    out.Key("startLine");
    out.Number(finding.line);
    if (finding.column != 0) {
      out.Key("startColumn");
      out.Number(finding.column);
    }
  } else {
    out.Key("byteOffset");
    out.Number(*finding.offset);
    out.Key("byteLength");
    out.Number(finding.length);
  }
  out.Raw('}');
}

// Alerts with equal text count as one: the place makes them differ.
std::string MessageOf(const Diagnostic& finding) {
  const std::string place = PlaceInTrace(finding);
  std::string text =
      place.empty() ? finding.message : fmt::format("{}: {}", place, finding.message);
  if (!finding.set_by.empty()) text += fmt::format(" ({})", text::DescribeSetters(finding));
  return text;
}

void AppendLogicalLocation(json::Builder& out, const Diagnostic& finding) {
  if (!finding.event && finding.path.empty()) return;
  const std::string event = finding.event ? fmt::format("event/{}", *finding.event) : "";
  const std::string_view separator =
      event.empty() || finding.path.empty() || finding.path.front() == '/' ? "" : "/";
  out.Key("logicalLocations");
  out.Raw("[{");
  AppendString(out, "fullyQualifiedName", fmt::format("{}{}{}", event, separator, finding.path));
  AppendString(out, "kind",
               finding.offset && finding.event ? "command"
               : finding.event                 ? "event"
                                               : "value");
  out.Raw("}]");
}

void AppendNumber(json::Builder& out, std::string_view key, uint64_t number) {
  out.Key(key);
  out.Number(number);
}

// Where the finding is and in which other frames, and who set the values that it is about.
void AppendPosition(json::Builder& out, const Diagnostic& finding) {
  if (finding.frame != 0) AppendNumber(out, "frame", finding.frame);
  if (finding.draw != 0) AppendNumber(out, "draw", finding.draw);
  if (!finding.marker.empty()) AppendString(out, "marker", finding.marker);
  if (finding.more.count() != 0)
    AppendString(out, "more", text::DescribeMore(finding.more, finding.frame));
  if (finding.set_by.empty()) return;
  out.Key("setBy");
  out.Raw('[');
  for (const StateSetter& setter : finding.set_by) {
    out.Separate();
    out.Raw('{');
    AppendString(out, "state", setter.state);
    if (setter.event != 0) {
      AppendNumber(out, "event", setter.event);
      AppendNumber(out, "offset", setter.offset);
    }
    out.Raw('}');
  }
  out.Raw(']');
}

void AppendProperties(json::Builder& out, const Diagnostic& finding) {
  out.Key("properties");
  out.Raw('{');
  AppendString(out, "fault", Name(Info(finding.rule).fault));
  if (finding.event) {
    out.Key("event");
    out.Number(*finding.event);
  }
  AppendPosition(out, finding);
  if (!finding.actual.empty()) AppendString(out, "actual", finding.actual);
  if (!finding.expected.empty()) AppendString(out, "expected", finding.expected);
  if (!finding.excerpt.token.empty()) AppendString(out, "token", finding.excerpt.token);
  if (!finding.excerpt.bytes.empty()) {
    out.Key("bytesOffset");
    out.Number(finding.excerpt.offset);
    AppendString(out, "bytes", HexOf(finding.excerpt.bytes));
  }
  out.Raw('}');
}

void AppendResult(json::Builder& out, const std::string& file, const ListedFinding& listed) {
  const Diagnostic& finding = listed.finding;
  out.Raw('{');
  AppendString(out, "ruleId", Info(finding.rule).id);
  out.Key("ruleIndex");
  out.Number(static_cast<uint32_t>(RowOf(finding.rule)));
  AppendString(out, "level", LevelOf(finding.severity));
  json::AppendSarifMessage(out, "message", MessageOf(finding));
  if (finding.more.count() != 0) {
    out.Key("occurrenceCount");
    out.Number(finding.more.count() + 1);
  }
  out.Key("locations");
  out.Raw("[{");
  out.Key("physicalLocation");
  out.Raw('{');
  AppendArtifactLocation(
      out, file == kStandardInputName ? json::ArtifactUri{"stdin", {}} : json::UriOf(file));
  AppendRegion(out, finding);
  out.Raw('}');
  AppendLogicalLocation(out, finding);
  out.Raw("}]");
  out.Key("partialFingerprints");
  out.Raw('{');
  AppendString(out, "primaryLocationLineHash", listed.fingerprint);
  AppendString(out, "dp2traceFinding/v1", listed.fingerprint);
  out.Raw('}');
  if (listed.accepted) {
    out.Key("suppressions");
    out.Raw("[{");
    AppendString(out, "kind", "external");
    if (!listed.accepted->empty()) AppendString(out, "justification", *listed.accepted);
    out.Raw("}]");
  }
  AppendProperties(out, finding);
  out.Raw('}');
}

class SarifWriter final : public FindingWriter {
 public:
  SarifWriter(const WriterOptions& options, TextSink sink)
      : version_(options.version), sink_(std::move(sink)) {}

  Status Begin() override {
    json::Builder out;
    json::BeginSarif(out);
    AppendString(out, "version", version_);
    out.Raw(",\"rules\":[\n");
    bool is_first = true;
    for (const RuleInfo& rule : AllRules()) {
      if (!std::exchange(is_first, false)) out.Raw(",\n");
      AppendRule(out, rule);
    }
    json::EndSarifRules(out);
    return sink_(out.string());
  }

  Status Add(const FileFindings& file) override {
    if (file.failure) failures_.push_back(FormatDiagnostic(file.file, *file.failure));
    for (const auto& [rule, count] : file.unlisted) {
      notes_.push_back(fmt::format("{}: not listed: {} of {}", file.file,
                                   Counted(count, "more finding"), Info(rule).id));
    }
    for (const ListedFinding& listed : file.findings) {
      if (results_++ >= json::kMaxSarifResults) continue;
      json::Builder out;
      out.Raw(results_ == 1 ? "\n" : ",\n");
      AppendResult(out, file.file, listed);
      DP2TRACE_RETURN_IF_ERROR(sink_(out.string()));
    }
    return OkStatus();
  }

  Status Finish(const Outcome& outcome) override {
    json::Builder out;
    if (results_ > json::kMaxSarifResults) {
      notes_.push_back(fmt::format("{} of {} findings are listed: a run may hold no more",
                                   json::kMaxSarifResults, results_));
    }
    out.Raw(results_ != 0 ? "\n],\"invocations\":[{" : "],\"invocations\":[{");
    out.Raw(fmt::format("\"executionSuccessful\":{},\"exitCode\":{}", failures_.empty(),
                        outcome.exit_code));
    out.Key("toolExecutionNotifications");
    out.Raw('[');
    AppendNotifications(out, "error", failures_);
    AppendNotifications(out, "note", notes_);
    out.Raw("]}]}]}\n");
    return sink_(out.string());
  }

 private:
  static void AppendNotifications(json::Builder& out, std::string_view level,
                                  const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      out.Separate();
      out.Raw('{');
      AppendString(out, "level", level);
      json::AppendSarifMessage(out, "message", text);
      out.Raw('}');
    }
  }

  std::string version_;
  TextSink sink_;
  uint64_t results_ = 0;  // written or not
  std::vector<std::string> failures_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeSarifWriter(const WriterOptions& options, TextSink sink) {
  return std::make_unique<SarifWriter>(options, std::move(sink));
}

}  // namespace dp2trace::lint
