#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "console.h"
#include "coverage/coverage.h"
#include "coverage/edge_finder.h"
#include "coverage_options.h"
#include "options.h"
#include "rule_options.h"
#include "sandbox_option.h"
#include "trace_file/inputs.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// `is_whole`: every trace was read to its end.
ExitCode CoverTraces(const CoverageOptions& options, const trace_file::Inputs& inputs,
                     std::vector<coverage::TraceCoverage>& traces, bool& is_whole) {
  lint::LintJob job;
  RuleOptions rules;
  rules.preset = "pedantic";  // every rule counts
  ExitCode code = ApplyRuleOptions(rules, job.validation);
  if (code != ExitCode::kOk) return code;
  job.max_memory = options.max_memory;
  job.validation.max_steps = options.max_steps;
  job.threads = options.threads;
  if (options.finds_edges && std::ranges::find(inputs.paths, "-") != inputs.paths.end()) {
    return UsageError("--edges reads traces twice: standard input cannot be read again");
  }
  coverage::EdgeFinder edges(options.max_memory);
  coverage::MoreItems add_more;
  if (options.finds_edges)
    add_more = [&](const std::string& path, coverage::CoveredItems& items) {
      edges.Add(path, items);
    };
  std::vector<coverage::CoverageResult> results = coverage::CoverFiles(inputs.paths, job, add_more);
  for (const std::string& note : edges.notes())
    PrintNote(note);
  is_whole = edges.failures().empty();
  for (const Status& failure : edges.failures())
    code = Worse(code, ReportFailure("", failure));
  for (coverage::CoverageResult& result : results) {
    if (result.error) {
      is_whole = false;
      const ExitCode failure = ReportFailure(result.coverage.trace, result.error->status);
      code = Worse(code, result.error->is_usage ? ExitCode::kUsage : failure);
      continue;
    }
    if (result.is_incomplete) {
      PrintNote(fmt::format("{}: not every event could be read and run", result.coverage.trace));
      code = Worse(code, ExitCode::kInput);
    }
    if (!result.read.ok()) {
      is_whole = false;
      code = Worse(code, ReportFailure(result.coverage.trace, result.read));
      continue;
    }
    traces.push_back(std::move(result.coverage));
  }
  return code;
}

Status WriteMinimal(const std::string& path, const std::vector<coverage::TraceCoverage>& traces) {
  std::string text;
  for (const std::string& trace : coverage::MinimalTraces(traces))
    text += trace + "\n";
  return WriteFile(path, text);
}

ExitCode RunCoverage(const CoverageOptions& options) {
  if (options.traces.empty() && options.results.empty()) {
    return UsageError("coverage needs traces, or results to --merge");
  }
  if (CheckPlaces({options.minimal}, options.is_forced) != ExitCode::kOk) return ExitCode::kUsage;
  const trace_file::Inputs inputs = ExpandTraces(options.traces);
  Confine(options.is_sandboxed,
          {.traces = inputs.paths, .inputs = options.results, .files = {options.minimal}});
  std::vector<coverage::TraceCoverage> traces;
  bool is_whole = true;
  ExitCode code = CoverTraces(options, inputs, traces, is_whole);
  for (const std::string& path : options.results) {
    const Status status = coverage::ReadCoverage(path, traces);
    if (!status.ok()) return Worse(code, ReportFailure(path, status));
  }
  traces = coverage::Merged(std::move(traces));
  if (traces.empty()) return Worse(code, ExitCode::kNothingToDo);
  code = Worse(code, ReportOutput(WriteResult(
                         coverage::CoverageText(traces, options.lists_missing, options.format))));
  if (options.minimal.empty() || !is_whole) return code;
  const Status written = WriteMinimal(options.minimal, traces);
  return written.ok() ? code : Worse(code, ReportFailure(options.minimal, written));
}

}  // namespace

void AddCoverage(Verb& program) {
  auto options = std::make_shared<CoverageOptions>();
  Verb& command = program.AddVerb(
      "coverage", "List which operations, states, formats, instructions and rules traces exercise");
  AddCoverageOptions(command, *options);
  command.SetExample("dp2trace coverage --missing --minimal few.txt traces");
  command.OnRun([options] { return RunCoverage(*options); });
}

}  // namespace dp2trace::app
