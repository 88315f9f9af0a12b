// A summary of a trace as text and as JSON.
#pragma once

#include <string>
#include <string_view>

#include "info/summary.h"

namespace dp2trace::info {

// What is known of the trace beyond its events.
struct InfoSource {
  std::string_view path;
  std::string_view form;       // "binary" or "json"
  std::string_view version;    // of the container: "1.0"; empty for JSON
  uint64_t file_size = 0;      // bytes; 0 = not known
  bool is_truncated = false;   // the input ends early
  bool is_incomplete = false;  // truncated, damaged or beyond the memory limit
};

std::string InfoText(const InfoSource& source, const Summary& summary);
// One JSON object and a line end.
std::string InfoJson(const InfoSource& source, const Summary& summary);

}  // namespace dp2trace::info
