#include "coverage_options.h"

namespace dp2trace::app {
namespace {

constexpr uint32_t kMaxCoverageThreads = 256;

}  // namespace

void AddCoverageOptions(CLI::App& command, CoverageVerb& options) {
  command.add_option(
      "TRACE", options.traces,
      "Traces to read, .dp2t or .json; folders and patterns of them; - is standard input");
  command.add_flag("--missing", options.lists_missing,
                   "Name what no trace exercises, not what one does");
  command.add_flag("--edges", options.finds_edges,
                   "Find rules that are only just kept, too: one number one step further breaks "
                   "them (slow; traces up to some thousand tokens)");
  command
      .add_option("--minimal", options.minimal,
                  "Write the paths of few traces that cover as much, one per line")
      ->type_name("OUT.txt");
  command.add_option("--merge", options.results, "Add results of --format json, of other machines")
      ->type_name("RESULT.json");
  command
      .add_option("-j,--jobs", options.threads,
                  "Traces to run at once, 0 for one per processor (1)")
      ->check(CLI::Range(0U, kMaxCoverageThreads))
      ->type_name("N");
  AddTableFormat(command, options.format);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
