#include "replay_options.h"

#include "limit_options.h"
#include "options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddReplayOptions(Verb& command, ReplayOptions& options) {
  command.Add("TRACE", options.trace, "Trace to read, .dp2t or .json; - is standard input")
      .Required();
  command.Add("-o,--output", options.output, "Folder for the pictures and report.json")
      .Required()
      .Value("DIR");
  AddForce(command, options.is_forced, "Replace pictures in DIR that no replay has left there");
  AddSelection(
      command, "--frames", options.replay.frames,
      "Pictures of these frames, from 1: N, A-B, A-, -B, A-B/STEP, last, all, none; the replay stops after the last one");
  AddSelection(command, "--reads", options.reads,
               "Pictures of these reads by the CPU, from 1 (those in the selected frames)");
  AddSelection(command, "--draws", options.draws,
               "Pictures of the targets after these draws, from 1");
  Argument& surface =
      command.Add("--surface", options.surface, "Pictures of every face and level of this surface")
          .Value("HANDLE");
  AddSelection(command, "--at", options.at, "With --surface: after these events, not at the end")
      .Needs(surface);
  AddRuleOptions(command, options.rules);
  command.AddSwitch("--strict", options.replay.is_strict,
                    "Stop after the first event with an error");
  command.AddSwitch("--no-times", options.has_times,
                    "Leave the times out of report.json: the same trace gives the same bytes",
                    false);
  AddFollowOptions(command, options.follow);
  AddFailOn(command, options.fail_on);
  AddLimitOptions(command, options.trace, options.replay.validation, options.replay.raster);
  AddRendererOptions(command, options.replay.renderer, options.replay.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
