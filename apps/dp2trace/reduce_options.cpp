#include "reduce_options.h"

#include "frame_options.h"
#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddReduceOptions(Verb& command, ReduceOptions& options) {
  command.Add("IN", options.input, "Trace to read, .dp2t or .json").Required();
  AddTraceOutput(command, options.output,
                 "Trace to write, .dp2t or .json; after each stage it holds what was reached");
  command
      .Add("--keep", options.keep,
           "finding=RULE; pixel=X,Y,#rrggbb of the last frame, or of frame F with @F; "
           "differs-from=PICTURE: the pixel that differs most keeps its colour; "
           "run='COMMAND {trace}': the command ends with 0")
      .Required()
      .Value("GOAL");
  AddRead(
      command, options.read,
      "Pictures are what the CPU reads there, and the trace ends with it: the number of a read");
  command.Add("-j,--jobs", options.jobs, "Candidates to try at once; the result is the same (1)")
      .Range(1, 256)
      .Value("N");
  AddRendererOptions(command, options.drawing.renderer, options.drawing.raster);
  AddMaxSteps(command, options.input, options.drawing.work);
  AddFormat(command, options.json);
  AddMaxMemory(command, options.max_memory);
  AddSandboxOption(command, options.is_sandboxed);
}

}  // namespace dp2trace::app
