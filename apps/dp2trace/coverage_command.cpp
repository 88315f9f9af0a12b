#include "coverage_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "coverage_edges.h"
#include "coverage_options.h"
#include "lint/coverage.h"
#include "options.h"
#include "rule_options.h"
#include "trace_file/inputs.h"

namespace dp2trace::app {
namespace {

ExitCode CoverTraces(const CoverageVerb& options, std::vector<lint::TraceCoverage>& traces) {
  lint::LintJob job;
  RuleOptions rules;
  rules.preset = "pedantic";  // every rule counts
  ExitCode code = ApplyRuleOptions(rules, job.validation);
  if (code != ExitCode::kOk) return code;
  job.max_memory = options.max_memory;
  job.threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const trace_file::Inputs inputs = trace_file::ExpandInputs(options.traces);
  for (const std::string& name : inputs.unmatched)
    PrintNote(fmt::format("{} holds no traces", name));
  if (options.finds_edges && std::ranges::find(inputs.paths, "-") != inputs.paths.end()) {
    return UsageError("--edges reads traces twice: standard input cannot be read again");
  }
  EdgeFinder edges(options.max_memory);
  lint::MoreItems add_more;
  if (options.finds_edges)
    add_more = [&](const std::string& path, lint::CoveredItems& items) { edges.Add(path, items); };
  std::vector<lint::CoverageResult> results = lint::CoverFiles(inputs.paths, job, add_more);
  for (const std::string& note : edges.notes())
    PrintNote(note);
  for (lint::CoverageResult& result : results) {
    if (result.error) {
      const ExitCode failure = ReportFailure(result.coverage.trace, result.error->status);
      code = Worse(code, result.error->is_usage ? ExitCode::kUsage : failure);
      continue;
    }
    if (result.is_incomplete) {
      PrintNote(fmt::format("{}: not every event could be read", result.coverage.trace));
      code = Worse(code, ExitCode::kInput);
    }
    traces.push_back(std::move(result.coverage));
  }
  return code;
}

Status WriteMinimal(const std::string& path, const std::vector<lint::TraceCoverage>& traces) {
  std::string text;
  for (const std::string& trace : lint::MinimalTraces(traces))
    text += trace + "\n";
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(std::string_view(text)));
  return file->Commit();
}

ExitCode RunCoverage(const CoverageVerb& options) {
  if (options.traces.empty() && options.results.empty()) {
    return UsageError("coverage needs traces, or results to --merge");
  }
  std::vector<lint::TraceCoverage> traces;
  ExitCode code = CoverTraces(options, traces);
  for (const std::string& path : options.results) {
    const Status status = lint::ReadCoverage(path, traces);
    if (!status.ok()) return Worse(code, ReportFailure(path, status));
  }
  traces = lint::Merged(std::move(traces));
  if (traces.empty()) return Worse(code, ExitCode::kNothingToDo);
  code = Worse(
      code,
      ReportOutput(WriteResult(lint::CoverageText(traces, options.lists_missing, options.format))));
  if (options.minimal.empty()) return code;
  const Status written = WriteMinimal(options.minimal, traces);
  return written.ok() ? code : Worse(code, ReportFailure(options.minimal, written));
}

}  // namespace

void AddCoverageCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<CoverageVerb>();
  CLI::App* command = app.add_subcommand(
      "coverage", "Say which operations, states, formats, instructions and rules traces exercise");
  AddCoverageOptions(*command, *options);
  AddExample(*command, "dp2trace coverage --missing --minimal few.txt traces");
  command->callback([options, &code] { code = RunCoverage(*options); });
}

}  // namespace dp2trace::app
