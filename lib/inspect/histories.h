// The histories of pixels that an inspect page brings along.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "inspect/data_sink.h"
#include "play/feed.h"

namespace dp2trace::inspect {

struct HistoryPixel {
  uint32_t x = 0, y = 0;  // of the frames' pictures
};

struct HistoryRequest {
  std::vector<uint64_t> frames;  // that the trace has
  std::vector<HistoryPixel> pixels;
  play::Options play;
};

// Writes data/history/FRAME-X-Y of each pixel of each frame, and plays the trace for each. Fails where that, or the writing, does. Returns why a
// pixel is in none of the frames; empty where each is in one.
Result<std::string> WriteHistories(const HistoryRequest& request, play::Feed& feed, DataSink& sink);

}  // namespace dp2trace::inspect
