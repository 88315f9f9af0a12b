// The replay of `dp2trace history`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "exit_code.h"
#include "history/recorder.h"
#include "options.h"

namespace dp2trace::app {

struct HistoryOptions {
  std::string trace;
  uint64_t frame = 0;  // 0: up to `read`
  uint64_t read = 0;
  uint32_t surface = 0;
  bool has_surface = false;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  history::Options history;
};

// Replays the trace up to the end of the frame. Nothing where it cannot be replayed or lacks the frame: `code` says why, after a line on
// standard error.
std::optional<history::History> RecordFrame(HistoryOptions options, ExitCode& code);

}  // namespace dp2trace::app
