#include "replay_options.h"

#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddReplayOptions(CLI::App& command, ReplayVerb& options) {
  command.add_option("TRACE", options.trace, "Trace to read, .dp2t or .json; - is standard input")
      ->required();
  command.add_option("-o,--output", options.output, "Folder for the pictures and report.json")
      ->required()
      ->type_name("DIR");
  AddSelection(
      command, "--frames", options.replay.frames,
      "Pictures of these frames, from 1: N, A-B, A-, -B, A-B/STEP, last, all, none; the replay stops behind the last one");
  AddSelection(command, "--reads", options.reads,
               "Pictures of these reads by the CPU, from 1 (those that come by)");
  AddSelection(command, "--draws", options.draws,
               "Pictures of the targets after these draws, from 1");
  CLI::Option* surface = command
                             .add_option("--surface", options.surface,
                                         "Pictures of every face and level of this surface")
                             ->type_name("HANDLE");
  AddSelection(command, "--at", options.at, "With --surface: behind these events, not at the end")
      ->needs(surface);
  AddRuleOptions(command, options.rules);
  command.add_flag("--strict", options.replay.is_strict,
                   "Stop behind the first event with an error");
  command.add_flag("!--no-times", options.has_times,
                   "Leave the times out of report.json: the same trace gives the same bytes");
  AddFollowOptions(command, options.follow);
  AddFailOn(command, options.fail_on);
  AddLimitOptions(command, options.trace, options.replay.validation, options.replay.raster);
  AddRendererOptions(command, options.replay.renderer, options.replay.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
