#include "coverage_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "lint/coverage.h"
#include "options.h"
#include "rule_options.h"
#include "trace_file/inputs.h"

namespace dp2trace::app {
namespace {

constexpr uint32_t kMaxCoverageThreads = 256;

struct CoverageVerb {
  std::vector<std::string> traces;
  std::vector<std::string> results;
  std::string minimal;
  text::ListFormat format = text::ListFormat::kText;
  bool lists_missing = false;
  uint32_t threads = 1;  // 0: one per processor
  uint64_t max_memory = kDefaultMaxMemory;
};

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
  for (lint::CoverageResult& result : lint::CoverFiles(inputs.paths, job)) {
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
    PrintError("coverage needs traces, or results to --merge");
    return ExitCode::kUsage;
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
  command->add_option(
      "TRACE", options->traces,
      "Traces to read, .dp2t or .json; folders and patterns of them; - is standard input");
  command->add_flag("--missing", options->lists_missing,
                    "Name what no trace exercises, not what one does");
  command
      ->add_option("--minimal", options->minimal,
                   "Write the paths of few traces that cover as much, one per line")
      ->type_name("OUT.txt");
  command
      ->add_option("--merge", options->results, "Add results of --format json, of other machines")
      ->type_name("RESULT.json");
  command
      ->add_option("-j,--jobs", options->threads,
                   "Traces to run at once, 0 for one per processor (1)")
      ->check(CLI::Range(0U, kMaxCoverageThreads))
      ->type_name("N");
  AddTableFormat(*command, options->format);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace coverage --missing --minimal few.txt traces");
  command->callback([options, &code] { code = RunCoverage(*options); });
}

}  // namespace dp2trace::app
