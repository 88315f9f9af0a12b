// `golden accept`: takes what a check found into the manifest and the store.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "console.h"
#include "golden/accept_results.h"
#include "golden_command.h"
#include "options.h"

namespace dp2trace::app {
namespace {

struct AcceptVerb {
  golden::AcceptOptions accept;
  bool is_allowed_in_ci = false;
};

bool IsInCi() {
  const char* const value = std::getenv("CI");
  return value != nullptr && (std::string_view(value) == "true" || std::string_view(value) == "1");
}

Status PrintChanges(const golden::AcceptOptions& options, const golden::ResultsAcceptance& run) {
  const golden::Acceptance& acceptance = run.acceptance();
  for (const std::string& change : acceptance.changes)
    DP2TRACE_RETURN_IF_ERROR(WriteResult(change + "\n"));
  for (const std::string& refused : acceptance.refused)
    PrintError("not accepted: " + refused);
  std::string text =
      fmt::format("{}: {} changed, {} added, {} removed", options.manifest,
                  golden::Count(acceptance.changed, "trace"), acceptance.added, acceptance.removed);
  if (!options.store.empty())
    text += fmt::format("; {} new in {}", golden::Count(run.stored(), "picture"), options.store);
  return WriteResult(text + "\n");
}

ExitCode RunAccept(const AcceptVerb& options) {
  if (IsInCi() && !options.is_allowed_in_ci) {
    return UsageError(
        "CI is set: a machine does not accept pictures, a person does; see --allow-ci");
  }
  golden::ResultsAcceptance run(options.accept);
  if (const Status status = run.TakeResults(); !status.ok())
    return ReportFailure(run.failed_at(), status);
  if (!run.unknown().empty()) {
    return UsageError(fmt::format("the results have no trace {}", *run.unknown().begin()));
  }
  if (const Status status = run.Write(); !status.ok())
    return ReportFailure(run.failed_at(), status);
  const ExitCode code = ReportOutput(PrintChanges(options.accept, run));
  return run.acceptance().refused.empty() ? code : Worse(code, ExitCode::kFindings);
}

}  // namespace

void AddGoldenAccept(CLI::App& golden, ExitCode& code) {
  auto options = std::make_shared<AcceptVerb>();
  CLI::App* command = golden.add_subcommand(
      "accept", "Take what a check found into the manifest and the store, and say what changed");
  command->add_option("TRACE", options->accept.traces,
                      "Traces, as the manifest names them, to accept (all)");
  command
      ->add_option("--results", options->accept.results, "What golden check or golden merge wrote")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--manifest", options->accept.manifest, "The manifest to change (manifest.json)")
      ->type_name("FILE");
  command
      ->add_option("--store", options->accept.store,
                   "Folder that takes the pictures; without it, none are kept")
      ->type_name("DIR");
  command
      ->add_option("--actual", options->accept.actual,
                   "Folders in which the checks left the pictures (FILE.pictures)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command->add_flag("--allow-ci", options->is_allowed_in_ci,
                    "Accept although the environment says CI=true");
  AddExample(
      *command,
      "dp2trace golden accept --results results.jsonl --manifest traces/manifest.json --store pictures");
  command->callback([options, &code] {
    if (options->accept.actual.empty())
      options->accept.actual = {options->accept.results + ".pictures"};
    code = RunAccept(*options);
  });
}

}  // namespace dp2trace::app
