#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "console.h"
#include "finding_outputs.h"
#include "lint/finding_postprocessor.h"
#include "lint_html.h"
#include "lint_options.h"
#include "options.h"
#include "progress.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

ExitCode Prepare(const LintOptions& options, lint::FindingPostprocessor& postprocessor,
                 FindingOutputs& outputs, lint::LintJob& job) {
  if (!outputs.Parse(options.format, {"--output", options.outputs, options.replaces_outputs}))
    return ExitCode::kUsage;
  if (options.lint.updates_baseline && options.lint.baseline.empty()) {
    return UsageError("--update-baseline needs --baseline FILE");
  }
  if (options.lint.updates_baseline && IsRefusedInCi(options.is_allowed_in_ci, "findings"))
    return ExitCode::kUsage;
  if (const ExitCode code = ApplyOptions(options, job); code != ExitCode::kOk) return code;
  job.limits = postprocessor.Limits();
  const Status status = postprocessor.ReadBaseline();
  return status.ok() ? ExitCode::kOk : ReportFailure(options.lint.baseline, status);
}

// Lints all traces into the outputs, until one cannot be written.
Status LintAll(const LintOptions& options, const std::vector<std::string>& paths, lint::LintJob job,
               lint::FindingPostprocessor& postprocessor, FindingOutputs& outputs, ExitCode& code) {
  TraceProgress progress("lint");
  job.progress = [&](const std::string& path, uint64_t done, uint64_t total) {
    progress.Update(path, done, total);
    return true;
  };
  Status status;
  lint::LintFiles(paths, job, [&](lint::LintResult result) {
    progress.Stop();
    if (result.error) {
      const ExitCode failure = ReportFailure(result.file, result.error->status);
      code = Worse(code, result.error->is_usage ? ExitCode::kUsage : failure);
    }
    if (result.is_incomplete) code = Worse(code, ExitCode::kInput);
    const lint::FileFindings file = postprocessor.Take(std::move(result));
    status = outputs.Add(file);
    if (status.ok() && !options.html.empty() && !file.failure)
      code = Worse(code, WriteFindingsPage(file, {options.html, job.validation, job.max_memory}));
    return status.ok();
  });
  return status;
}

// Baseline and caps have been read.
void ConfineTo(const LintOptions& options, const std::vector<std::string>& traces,
               const FindingOutputs& outputs) {
  Confinement confinement = {.traces = traces, .files = outputs.Paths()};
  confinement.files.push_back(options.html);
  if (options.lint.updates_baseline) confinement.files.push_back(options.lint.baseline);
  Confine(options.is_sandboxed, confinement);
}

ExitCode RunLint(const LintOptions& options) {
  lint::FindingPostprocessor postprocessor(options.lint);
  FindingOutputs outputs;
  lint::LintJob job;
  ExitCode code = Prepare(options, postprocessor, outputs, job);
  if (code != ExitCode::kOk) return code;
  const trace_file::Inputs inputs = ExpandTraces(options.traces);
  if (!options.html.empty() &&
      (inputs.paths.size() > 1 || inputs.paths == std::vector<std::string>{"-"})) {
    return UsageError("--html shows the findings of one trace, which is read twice");
  }
  ConfineTo(options, inputs.paths, outputs);
  Status status = outputs.Open({"" DP2TRACE_VERSION, options.lint.fail_on, UsesColor(options.color),
                                options.lint.lists_all, options.is_verbose});
  if (status.ok())
    status = LintAll(options, inputs.paths, std::move(job), postprocessor, outputs, code);
  if (inputs.paths.empty()) code = Worse(code, ExitCode::kNothingToDo);
  if (status.ok()) status = postprocessor.WriteBaseline();
  if (postprocessor.has_failed()) code = Worse(code, ExitCode::kFindings);
  lint::Outcome outcome = postprocessor.outcome();
  outcome.exit_code = static_cast<int>(code);
  if (status.ok()) status = outputs.Finish(outcome);
  for (const std::string& note : postprocessor.Notes(options.rules.disabled))
    PrintNote(note);
  return Worse(code, ReportOutput(status));
}

}  // namespace

void AddLint(Verb& program) {
  auto options = std::make_shared<LintOptions>();
  Verb& command =
      program.AddVerb("lint", "Report what is wrong in traces: rule, exact position, reason");
  AddLintOptions(command, *options);
  command.TakeConfiguration();
  command.SetExample("dp2trace lint --preset pedantic --output sarif=findings.sarif traces");
  command.OnRun([options] { return RunLint(*options); });
}

}  // namespace dp2trace::app
