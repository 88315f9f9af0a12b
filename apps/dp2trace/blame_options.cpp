#include "blame_options.h"

#include "compare_options.h"
#include "frame_options.h"
#include "limit_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddBlameOptions(Verb& command, BlameOptions& options) {
  command.Add("TRACE", options.trace, "Trace to read, .dp2t or .json").Required();
  Argument& frame = AddFrame(command, options.search.frame,
                             "Number of the frame, from 1, or last; needed with a single picture");
  AddRead(command, options.search.read, "In place of a frame: number of a read by the CPU, from 1")
      .Excludes(frame);
  Argument& against =
      command
          .Add("--against", options.search.against,
               "The driver's picture of the frame, or a folder with frame-N.png, "
               "draw-N.png or read-N.png as replay names them: the first that differs counts; "
               "`recorded`: the pictures in the trace")
          .Value("PICTURE");
  command
      .Add("--run", options.search.command.text,
           "Command that writes the driver's picture after draw {draw}, or of frame "
           "{frame}, to {out}: the first that differs is found by bisection")
      .Excludes(against)
      .Value("COMMAND");
  command.Add("--timeout", options.timeout, "Seconds that a command may take; 0: any time (60)")
      .Value("SECONDS");
  AddLooseOptions(command, options.search.tolerance.loose);
  AddMaxPixels(command, options.search.tolerance.max_pixels);
  AddFormat(command, options.json);
  command
      .Add("--threads", options.search.play.raster.threads,
           "Threads that draw (as many as there are cores)")
      .Value("N");
  AddLimitOptions(command, options.trace, options.search.play.validation,
                  options.search.play.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
