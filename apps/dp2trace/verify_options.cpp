#include "verify_options.h"

#include "compare_options.h"
#include "limit_options.h"
#include "renderer_options.h"
#include "rules/rule.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddVerifyOptions(Verb& command, VerifyOptions& options) {
  AddTraces(command, options.traces).Required();
  AddJobs(command, options.jobs);
  command
      .Add("--tolerance", options.verify.checks.tolerance,
           "How far a channel of a picture may be off (0)")
      .Range(0, 255)
      .Value("N");
  AddIgnoreEdges(command, options.verify.checks.edge_pixels);
  AddMaxPixels(command, options.verify.checks.max_pixels);
  command
      .Add("-o,--output", options.output,
           "Folder for the pictures that differ, each as driver, replay and difference; of several "
           "traces each has a folder in it")
      .Value("DIR");
  command.AddSwitch("--leaks", options.verify.checks.lists_leaks,
                    "List what lives at the end: surfaces and contexts that nothing destroyed");
  AddFormat(command, options.json);
  command
      .Add(
          "--report", options.reports,
          "Write the findings into a file, too, in a form of lint: junit, sarif, github, gitlab, ...")
      .Value("FORMAT=PATH")
      .OnePerMention();
  AddForce(command, options.is_forced,
           "Replace files of --report, and pictures in DIR, that exist");
  AddRuleOptions(command, options.rules);
  options.rules.advice = {Rule::kRecordReturn002};  // nothing else says how such a file came about
  AddFailOn(command, options.fail_on);
  AddMaxSurfaceMemory(command, options.verify.replay.validation.max_surface_bytes);
  AddMaxSteps(command, options.verify.replay.validation.max_steps);
  AddRendererOptions(command, options.verify.replay.renderer, options.verify.replay.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
