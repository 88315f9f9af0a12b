// `golden merge`: the results of all shards as one file.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "console.h"
#include "golden/results.h"
#include "golden_command.h"
#include "golden_summary.h"
#include "options.h"

namespace dp2trace::app {
namespace {

struct MergeOptions {
  std::vector<std::string> shards;
  std::string output;
};

ExitCode RunMerge(const MergeOptions& options) {
  const Result<golden::StatusCounts> counts = golden::MergeResults(options.shards, options.output);
  if (!counts.ok()) return ReportFailure("golden merge", counts.status());
  if (options.output == "-") return ExitCodeOf(*counts);
  return Worse(ReportOutput(WriteResult(Describe(*counts) + "\n")), ExitCodeOf(*counts));
}

}  // namespace

void AddGoldenMerge(CLI::App& golden, ExitCode& code) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = golden.add_subcommand(
      "merge",
      "Join the results of all shards; fail where one is missing, repeated or of another run");
  command->add_option("SHARD", options->shards, "Results files of golden check --shard")
      ->required();
  command->add_option("-o,--output", options->output, "Where the joined results go")
      ->required()
      ->type_name("FILE");
  AddExample(*command, "dp2trace golden merge shard-*.jsonl -o results.jsonl");
  command->callback([options, &code] { code = RunMerge(*options); });
}

}  // namespace dp2trace::app
