#include "coverage_options.h"

#include "limit_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddCoverageOptions(Verb& command, CoverageOptions& options) {
  AddTraces(command, options.traces);
  command.AddSwitch("--missing", options.lists_missing,
                    "Name what no trace exercises, not what one does");
  command.AddSwitch("--edges", options.finds_edges,
                    "Find rules that are barely kept, too: one number one step further breaks "
                    "them (slow; traces up to some thousand tokens)");
  command
      .Add("--minimal", options.minimal,
           "Write the paths of few traces that cover as much, one per line")
      .Value("OUT.txt");
  AddForce(command, options.is_forced, "Replace OUT.txt where it exists");
  command.Add("--merge", options.results, "Add results of --format json, of other machines")
      .Value("RESULT.json");
  AddJobs(command, options.threads);
  AddTableFormat(command, options.format);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
  AddMaxSteps(command, options.max_steps);
}

}  // namespace dp2trace::app
