#include "trim_options.h"

#include "frame_options.h"
#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {

void AddTrimOptions(Verb& command, TrimOptions& options) {
  command.Add("IN", options.input, "Trace to read, .dp2t or .json").Required();
  AddTraceOutput(command, options.output);
  Argument& frames =
      AddSelection(command, "--frames", options.frames,
                   "Frames to keep, from the first chosen one to the last: 24, 3-5, last");
  Argument& draws = AddSelection(command, "--draws", options.draws,
                                 "Draws to keep, from the first chosen one to the last");
  Argument& read =
      AddRead(command, options.read,
              "What a read by the CPU needs, from the start of its frame to the read: its number");
  frames.Excludes(draws);
  read.Excludes(frames).Excludes(draws);
  AddFormat(command, options.json);
  AddRendererOptions(command, options.drawing.renderer, options.drawing.raster);
  AddMaxSteps(command, options.input, options.drawing.work);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

}  // namespace dp2trace::app
