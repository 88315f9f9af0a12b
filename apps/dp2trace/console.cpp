#include "console.h"

#include "base/file.h"
#include "base/plain_text.h"
#include "json/output.h"
#include "os/console.h"
#include "progress.h"
#include "rules/rule.h"
#include "text/finding.h"
#include "text/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dp2trace::app {
namespace {

// JSON on standard output.
struct JsonResult {
  std::string schema;
  JsonErrors errors_by = JsonErrors::kInserted;
  std::vector<std::string> errors;  // objects
  std::string held;                 // the end of what was written: the errors stand before it
  bool is_begun = false;
};

std::optional<JsonResult>& ExpectedJson() {
  static std::optional<JsonResult> result;
  return result;
}

constexpr std::string_view kJsonEnd = "}\n";

// Names and arguments of any kind are in it: it stays one line.
void PrintLine(std::string_view text) {
  WipeProgress();
  std::string line = Plain(text);
  line += '\n';
  // There is no place left to report a failure to.
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

Status WriteResult(std::string_view text) {
  WipeProgress();
  std::optional<JsonResult>& json = ExpectedJson();
  if (!json || text.empty()) return WriteStandardOutput(text);
  json->is_begun = true;
  if (json->errors_by == JsonErrors::kOwn) return WriteStandardOutput(text);
  std::string now = std::exchange(json->held, {});
  now += text;
  if (now.ends_with(kJsonEnd)) {
    json->held = kJsonEnd;
    now.resize(now.size() - kJsonEnd.size());
  }
  return WriteStandardOutput(now);
}

void ExpectJson(std::string_view schema, JsonErrors errors) {
  std::optional<JsonResult>& json = ExpectedJson();
  if (!json) json.emplace();
  json->schema = schema;
  json->errors_by = errors;
}

Status EndJson() {
  const std::optional<JsonResult> json = std::exchange(ExpectedJson(), std::nullopt);
  if (!json || (json->is_begun && json->held.empty())) return OkStatus();
  const std::string end = json::OutputEnd(json->errors);
  return WriteStandardOutput(json->is_begun ? end : json::OutputHead(json->schema) + end);
}

Status FinishResult() {
  return FlushStandardOutput();
}

bool UsesColor(std::string_view choice) {
  if (choice != "auto") return choice == "always";
  const char* const refusal = std::getenv("NO_COLOR");
  return IsTerminal(Stream::kOutput) && (refusal == nullptr || *refusal == '\0');
}

void PrintError(std::string_view message) {
  if (std::optional<JsonResult>& json = ExpectedJson()) {
    std::string error = "{\"message\":";
    text::AppendQuoted(error, message);
    json->errors.push_back(error + "}");
  }
  PrintLine(fmt::format("dp2trace: error: {}", message));
}

ExitCode UsageError(std::string_view message) {
  PrintError(message);
  return ExitCode::kUsage;
}

ExitCode UnknownForm(std::string_view path) {
  return UsageError(
      fmt::format("cannot tell the form of {}: the name of a trace ends in .dp2t or .json", path));
}

void PrintNote(std::string_view message) {
  PrintLine(fmt::format("dp2trace: note: {}", message));
}

void PrintFinding(std::string_view file, const Diagnostic& finding) {
  // These two name the path themselves.
  constexpr Rule kRules[] = {Rule::kTrace001, Rule::kIo001, Rule::kGoldenStore001,
                             Rule::kGoldenResults001, Rule::kGoldenResults002};
  if (std::optional<JsonResult>& json = ExpectedJson();
      json && finding.severity == Severity::kError) {
    std::string error = "{";
    text::AppendFindingMembers(error, file, finding);
    json->errors.push_back(error + "}");
  }
  const bool names_path = std::ranges::find(kRules, finding.rule) != std::end(kRules);
  PrintLine(text::FormatFinding(names_path ? "dp2trace" : file, finding));
  if (finding.excerpt.caret == 0) return;
  PrintLine("    " + finding.excerpt.token);
  PrintLine(fmt::format("    {:>{}}", '^', finding.excerpt.caret));
}

void PrintFindings(std::string_view file, const DiagnosticList& findings) {
  for (const Diagnostic& finding : text::JoinCauses(findings.items()))
    PrintFinding(file, finding);
  if (findings.dropped() != 0)
    PrintLine(fmt::format("{}: {}", file, Counted(findings.dropped(), "more finding")));
}

ExitCode ReportFailure(std::string_view file, const Status& status) {
  PrintFinding(file, status.diagnostic());
  return ExitCode::kInput;
}

ExitCode ReportOutput(const Status& status) {
  return status.ok() ? ExitCode::kOk : ReportFailure("-", status);
}

}  // namespace dp2trace::app
