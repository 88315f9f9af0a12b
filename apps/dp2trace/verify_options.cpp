#include "verify_options.h"

#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddVerifyOptions(CLI::App& command, VerifyOptions& options) {
  command.add_option("TRACE", options.trace, "Trace to read, .dp2t or .json; - is standard input")
      ->required();
  command
      .add_option("--tolerance", options.verify.tolerance,
                  "How far a channel of a picture may be off, 0 to 255 (0)")
      ->check(CLI::Range(0, 255))
      ->type_name("N");
  command
      .add_option("-o,--output", options.output,
                  "Folder for the first picture that differs: driver, replay, difference")
      ->type_name("DIR");
  AddFormat(command, options.json);
  AddRuleOptions(command, options.rules);
  AddFailOn(command, options.fail_on);
  AddMaxSteps(command, options.trace, options.verify.replay.validation);
  AddRendererOptions(command, options.verify.replay.renderer, options.verify.replay.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
