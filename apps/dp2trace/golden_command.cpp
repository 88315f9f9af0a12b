#include "golden_command.h"

#include "options.h"

namespace dp2trace::app {

void AddGoldenCommand(CLI::App& app, ExitCode& code) {
  CLI::App* golden = app.add_subcommand(
      "golden", "Keep the pictures and findings of a set of traces as a manifest says");
  golden->require_subcommand(1);
  AddGoldenCheck(*golden, code);
  AddGoldenAccept(*golden, code);
  AddGoldenReport(*golden, code);
  AddGoldenMerge(*golden, code);
  AddGoldenGc(*golden, code);
  AddExample(
      *golden,
      "dp2trace golden check --manifest traces/manifest.json --store pictures --results results.jsonl");
}

}  // namespace dp2trace::app
