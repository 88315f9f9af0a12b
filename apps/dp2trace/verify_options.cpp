#include "verify_options.h"

#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddVerifyOptions(Verb& command, VerifyOptions& options) {
  command.Add("TRACE", options.trace, "Trace to read, .dp2t or .json; - is standard input")
      .Required();
  command
      .Add("--tolerance", options.verify.tolerance,
           "How far a channel of a picture may be off, 0 to 255 (0)")
      .Range(0, 255)
      .Value("N");
  command
      .Add("-o,--output", options.output,
           "Folder for the pictures that differ, each as driver, replay and difference")
      .Value("DIR");
  command.AddSwitch("--leaks", options.verify.lists_leaks,
                    "List what lives at the end: surfaces and contexts that nothing destroyed");
  AddFormat(command, options.json);
  AddRuleOptions(command, options.rules);
  AddFailOn(command, options.fail_on);
  AddMaxSteps(command, options.trace, options.verify.replay.validation);
  AddRendererOptions(command, options.verify.replay.renderer, options.verify.replay.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
