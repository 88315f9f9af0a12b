// The histories of pixels that an inspect page brings along.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exit_code.h"
#include "inspect/data_folder.h"
#include "play/player.h"

namespace dp2trace::app {

struct HistoryPixel {
  uint32_t x = 0, y = 0;  // of the frames' pictures
};

struct HistoryRequest {
  std::string trace;
  uint64_t max_memory = 0;
  std::vector<uint64_t> frames;
  std::vector<HistoryPixel> pixels;
  play::Options play;
};

// Writes data/history/FRAME-X-Y of each pixel of each frame, reading the trace again. kInput after a line that says why it cannot be
// written.
ExitCode WriteHistories(const HistoryRequest& request, inspect::DataFolder& folder);

}  // namespace dp2trace::app
