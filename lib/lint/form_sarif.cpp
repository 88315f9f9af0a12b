// Findings as SARIF 2.1.0 (OASIS): every rule declared, every finding a result, an empty run where there is none.
// Source: Static Analysis Results Interchange Format 2.1.0, 3.18 to 3.51.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "json/text.h"
#include "lint/finding_json.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::lint {
namespace {

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

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

// A path as a URI reference: what has a meaning there is escaped byte by byte.
std::string UriOf(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

void AppendMember(json::Text& out, std::string_view key, std::string_view text) {
  out.Key(key);
  out.String(text);
}

void AppendMessage(json::Text& out, std::string_view key, std::string_view text) {
  out.Key(key);
  out.Raw('{');
  AppendMember(out, "text", text);
  out.Raw('}');
}

void AppendRule(json::Text& out, const RuleInfo& rule) {
  const std::string reason =
      rule.reason.empty() ? std::string(Describe(rule.fault)) : std::string(rule.reason);
  const std::string help = fmt::format("{}{}{} Source: {}.", reason, rule.remedy.empty() ? "" : " ",
                                       rule.remedy, rule.source);
  out.Raw('{');
  AppendMember(out, "id", rule.id);
  AppendMessage(out, "shortDescription", rule.summary);
  AppendMessage(out, "fullDescription", reason);
  AppendMessage(out, "help", help);
  out.Key("defaultConfiguration");
  out.Raw('{');
  AppendMember(out, "level", LevelOf(rule.severity));
  out.Raw('}');
  out.Key("properties");
  out.Raw('{');
  AppendMember(out, "fault", Name(rule.fault));
  AppendMember(out, "family", Name(rule.family));
  AppendMember(out, "scope", Name(rule.scope));
  AppendMember(out, "since", rule.since);
  AppendMember(out, "source", rule.source);
  out.Key("tags");
  out.Raw('[');
  out.String(rule.group());
  out.Raw("]}}");
}

// Offsets count from the start of the command buffer of the event, or of the file where there is none.
void AppendRegion(json::Text& out, const Diagnostic& finding) {
  if (finding.line == 0 && !finding.offset) return;
  out.Key("region");
  out.Raw('{');
  if (finding.line != 0) {
    out.Key("startLine");
    out.Number(finding.line);
  } else {
    out.Key("byteOffset");
    out.Number(*finding.offset);
    if (finding.length != 0) {
      out.Key("byteLength");
      out.Number(finding.length);
    }
  }
  out.Raw('}');
}

void AppendLogicalLocation(json::Text& out, const Diagnostic& finding) {
  if (!finding.event && finding.path.empty()) return;
  const std::string event = finding.event ? fmt::format("event/{}", *finding.event) : "";
  const std::string_view separator =
      event.empty() || finding.path.empty() || finding.path.front() == '/' ? "" : "/";
  out.Key("logicalLocations");
  out.Raw("[{");
  AppendMember(out, "fullyQualifiedName", fmt::format("{}{}{}", event, separator, finding.path));
  AppendMember(out, "kind",
               finding.offset && finding.event ? "command"
               : finding.event                 ? "event"
                                               : "value");
  out.Raw("}]");
}

void AppendProperties(json::Text& out, const Diagnostic& finding) {
  out.Key("properties");
  out.Raw('{');
  AppendMember(out, "fault", Name(Info(finding.rule).fault));
  if (finding.event) {
    out.Key("event");
    out.Number(*finding.event);
  }
  if (!finding.actual.empty()) AppendMember(out, "actual", finding.actual);
  if (!finding.expected.empty()) AppendMember(out, "expected", finding.expected);
  if (!finding.excerpt.token.empty()) AppendMember(out, "token", finding.excerpt.token);
  if (!finding.excerpt.bytes.empty()) {
    out.Key("bytesOffset");
    out.Number(finding.excerpt.offset);
    AppendMember(out, "bytes", HexOf(finding.excerpt.bytes));
  }
  out.Raw('}');
}

void AppendResult(json::Text& out, const std::string& file, const ListedFinding& listed) {
  const Diagnostic& finding = listed.finding;
  out.Raw('{');
  AppendMember(out, "ruleId", Info(finding.rule).id);
  out.Key("ruleIndex");
  out.Number(static_cast<uint32_t>(RowOf(finding.rule)));
  AppendMember(out, "level", LevelOf(finding.severity));
  AppendMessage(out, "message", finding.message);
  out.Key("locations");
  out.Raw("[{");
  out.Key("physicalLocation");
  out.Raw("{\"artifactLocation\":{");
  AppendMember(out, "uri", UriOf(file));
  out.Raw('}');
  AppendRegion(out, finding);
  out.Raw('}');
  AppendLogicalLocation(out, finding);
  out.Raw("}]");
  out.Key("partialFingerprints");
  out.Raw('{');
  AppendMember(out, "dp2traceFinding/v1", listed.fingerprint);
  out.Raw('}');
  if (listed.accepted) {
    out.Key("suppressions");
    out.Raw("[{");
    AppendMember(out, "kind", "external");
    if (!listed.accepted->empty()) AppendMember(out, "justification", *listed.accepted);
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
    json::Text out;
    out.Raw('{');
    AppendMember(out, "version", "2.1.0");
    AppendMember(out, "$schema", kSchema);
    out.Raw(",\"runs\":[{\"tool\":{\"driver\":{");
    AppendMember(out, "name", "dp2trace");
    AppendMember(out, "version", version_);
    out.Raw(",\"rules\":[\n");
    bool is_first = true;
    for (const RuleInfo& rule : AllRules()) {
      if (!std::exchange(is_first, false)) out.Raw(",\n");
      AppendRule(out, rule);
    }
    out.Raw("\n]}},\"columnKind\":\"utf16CodeUnits\",\"results\":[");
    return sink_(out.string());
  }

  Status Add(const FileFindings& file) override {
    if (file.failure) failures_.push_back(FormatDiagnostic(file.file, *file.failure));
    for (const auto& [rule, count] : file.unlisted)
      notes_.push_back(fmt::format("{}: {} more findings of {} are not listed", file.file, count,
                                   Info(rule).id));
    for (const ListedFinding& listed : file.findings) {
      json::Text out;
      out.Raw(std::exchange(has_result_, true) ? ",\n" : "\n");
      AppendResult(out, file.file, listed);
      DP2TRACE_RETURN_IF_ERROR(sink_(out.string()));
    }
    return OkStatus();
  }

  Status Finish(const Outcome& outcome) override {
    json::Text out;
    out.Raw(has_result_ ? "\n],\"invocations\":[{" : "],\"invocations\":[{");
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
  static void AppendNotifications(json::Text& out, std::string_view level,
                                  const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      out.Separate();
      out.Raw('{');
      AppendMember(out, "level", level);
      AppendMessage(out, "message", text);
      out.Raw('}');
    }
  }

  std::string version_;
  TextSink sink_;
  bool has_result_ = false;
  std::vector<std::string> failures_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<FindingWriter> MakeSarifWriter(const WriterOptions& options, TextSink sink) {
  return std::make_unique<SarifWriter>(options, std::move(sink));
}

}  // namespace dp2trace::lint
