// dp2trace info --frames: what each frame costs.
#pragma once

#include <cstdint>
#include <string>

#include "exit_code.h"
#include "info/frame_statistics.h"
#include "options.h"

namespace dp2trace::app {

struct InfoOptions {
  std::string trace;
  std::string frames;  // a SEL; empty: the summary of the trace
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  info::FrameOptions counter;  // of the frames; which ones is in `frames`
};

ExitCode RunFrames(const InfoOptions& options);

}  // namespace dp2trace::app
