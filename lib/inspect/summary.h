// What a run of `inspect` says on standard output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inspect/inspector.h"

namespace dp2trace::inspect {

struct Summary {
  std::string trace;
  std::string folder;
  uint64_t bytes = 0;  // of the data files
  std::vector<Inspector::FrameSummary> frames;
  std::vector<std::string> left_out;
};

// A line for each frame, one for each limit that left something out, and where the page is.
std::string SummaryText(const Summary& summary);
// One JSON object and a line end: "trace", "page", "bytes", "frames":[...], "limits":[...].
std::string SummaryJson(const Summary& summary);

// "frames":[...],"limits":[...]: members of an object.
void AppendFrames(json::Builder& out, const std::vector<Inspector::FrameSummary>& frames,
                  const std::vector<std::string>& left_out);

}  // namespace dp2trace::inspect
