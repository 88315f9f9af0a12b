// `golden merge`: the results of all shards as one file.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "console.h"
#include "golden/results.h"
#include "golden_summary.h"
#include "options.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct MergeOptions {
  std::vector<std::string> shards;
  std::string output;
  bool is_forced = false;
  bool is_sandboxed = true;
};

ExitCode RunMerge(const MergeOptions& options) {
  if (CheckPlaces({options.output}, options.is_forced) != ExitCode::kOk) return ExitCode::kUsage;
  Confine(options.is_sandboxed, {.inputs = options.shards, .files = {options.output}});
  const Result<golden::StatusCounts> counts = golden::MergeResults(options.shards, options.output);
  if (!counts.ok()) return ReportFailure("golden merge", counts.status());
  if (options.output == "-") return ExitCodeOf(*counts);
  const ExitCode written = ReportOutput(WriteResult(Describe(*counts) + "\n"));
  if (HasAcceptable(*counts)) PrintNote(DescribeAcceptance("FILE", options.output, ""));
  return Worse(written, ExitCodeOf(*counts));
}

}  // namespace

void AddGoldenMerge(Verb& golden) {
  auto options = std::make_shared<MergeOptions>();
  Verb& command = golden.AddVerb(
      "merge",
      "Join the results of all shards; fail where one is missing, repeated or of another run");
  command.Add("SHARD", options->shards, "Results files of golden check --shard").Required();
  command.Add("-o,--output", options->output, "Where the joined results go")
      .Required()
      .Value("FILE");
  AddForce(command, options->is_forced, "Replace FILE where it exists");
  AddSandboxOption(command, options->is_sandboxed);
  command.TakeConfiguration();
  command.SetExample("dp2trace golden merge shard-*.jsonl -o results.jsonl");
  command.OnRun([options] { return RunMerge(*options); });
}

}  // namespace dp2trace::app
