#include "blame_options.h"

#include "compare_options.h"
#include "history_frame.h"
#include "limit_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddBlameOptions(CLI::App& command, BlameVerb& options) {
  command.add_option("TRACE", options.trace, "Trace to read, .dp2t or .json")->required();
  AddFrame(command, options.frame,
           "Number of the frame, from 1, or last; needed with a single picture");
  CLI::Option* const against =
      command
          .add_option("--against", options.against,
                      "The driver's picture of the frame, or a folder with frame-N.png and "
                      "draw-N.png as replay names them: the first that differs counts")
          ->type_name("PICTURE");
  command
      .add_option("--run", options.run,
                  "Command that writes the driver's picture behind draw {draw}, or of frame "
                  "{frame}, to {out}: the first that differs is found by bisection")
      ->excludes(against)
      ->type_name("COMMAND");
  command
      .add_option("--timeout", options.timeout, "Seconds that a command may take; 0: any time (60)")
      ->type_name("SECONDS");
  AddLooseOptions(command, options.loose);
  AddFormat(command, options.json);
  command
      .add_option("--threads", options.raster.threads,
                  "Threads that draw (as many as there are cores)")
      ->type_name("N");
  AddLimitOptions(command, options.trace, options.validation, options.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
