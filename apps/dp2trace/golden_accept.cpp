// `golden accept`: takes what a check found into the manifest and the store.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/plain_text.h"
#include "console.h"
#include "golden/accept_results.h"
#include "options.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct AcceptOptions {
  golden::AcceptOptions accept;
  bool is_allowed_in_ci = false;
  bool is_sandboxed = true;
};

Status PrintChanges(const golden::AcceptOptions& options, const golden::ResultsAcceptance& run) {
  const golden::Acceptance& acceptance = run.acceptance();
  for (const std::string& change : acceptance.changes)
    DP2TRACE_RETURN_IF_ERROR(WriteResult(Plain(change) + "\n"));
  for (const std::string& refused : acceptance.refused)
    PrintError("not accepted: " + refused);
  std::string text =
      fmt::format("{}: {} changed, {} added, {} removed", Plain(options.manifest),
                  Counted(acceptance.changed, "trace"), acceptance.added, acceptance.removed);
  if (!options.store.empty())
    text += fmt::format("; {} new in {}", Counted(run.stored(), "picture"), Plain(options.store));
  return WriteResult(text + "\n");
}

ExitCode RunAccept(const AcceptOptions& options) {
  if (IsRefusedInCi(options.is_allowed_in_ci, "pictures")) return ExitCode::kUsage;
  Confinement confinement = {.inputs = options.accept.actual,
                             .folders = {options.accept.store},
                             .files = {options.accept.manifest}};
  confinement.inputs.push_back(options.accept.results);
  Confine(options.is_sandboxed, confinement);
  golden::ResultsAcceptance run(options.accept);
  if (const Status status = run.TakeResults(); !status.ok())
    return ReportFailure(run.failed_at(), status);
  if (!run.unknown().empty()) {
    return UsageError(
        fmt::format("the results have no trace that {} names", *run.unknown().begin()));
  }
  if (const Status status = run.Write(); !status.ok())
    return ReportFailure(run.failed_at(), status);
  const ExitCode code = ReportOutput(PrintChanges(options.accept, run));
  return run.acceptance().refused.empty() ? code : Worse(code, ExitCode::kFindings);
}

}  // namespace

void AddGoldenAccept(Verb& golden) {
  auto options = std::make_shared<AcceptOptions>();
  Verb& command = golden.AddVerb(
      "accept", "Take what a check found into the manifest and the store, and say what changed");
  command.Add(
      "TRACE", options->accept.traces,
      "Traces to accept, folders of them or patterns, as check takes them or the manifest names them (all)");
  command.Add("--results", options->accept.results, "What golden check or golden merge wrote")
      .Required()
      .Value("FILE");
  command.Add("--manifest", options->accept.manifest, "The manifest to change (manifest.json)")
      .Value("FILE");
  command
      .Add("--store", options->accept.store,
           "Folder that takes the pictures; without it, none are kept")
      .Value("DIR");
  command
      .Add("--actual", options->accept.actual,
           "Folders in which the checks left the pictures (FILE.pictures)")
      .Value("DIR")
      .OnePerMention();
  AddAllowCi(command, options->is_allowed_in_ci);
  AddSandboxOption(command, options->is_sandboxed);
  command.TakeConfiguration();
  command.SetExample(
      "dp2trace golden accept --results results.jsonl --manifest traces/manifest.json --store pictures");
  command.OnRun([options] {
    if (options->accept.actual.empty())
      options->accept.actual = {options->accept.results + ".pictures"};
    return RunAccept(*options);
  });
}

}  // namespace dp2trace::app
