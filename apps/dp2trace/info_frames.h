// dp2trace info --frames: what each frame costs.
#pragma once

#include <cstdint>
#include <string>

#include "exit_code.h"
#include "options.h"
#include "raster/renderer.h"
#include "replay/runner.h"

namespace dp2trace::app {

struct InfoOptions {
  std::string trace;
  std::string frames;  // a SEL; empty: the summary of the trace
  bool json = false;
  uint64_t max_memory = kDefaultMaxMemory;
  replay::RunnerOptions validation;  // of the frames
  raster::Options raster;
};

ExitCode RunFrames(const InfoOptions& options);

}  // namespace dp2trace::app
