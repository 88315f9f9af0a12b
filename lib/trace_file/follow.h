// A container that is still being written: its events as they are appended.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "trace_file/source.h"

namespace dp2trace::trace_file {

struct FollowOptions {
  uint64_t max_memory = uint64_t{1} << 30;
  // The trace ends where nothing was appended for so long; none: never.
  std::optional<std::chrono::milliseconds> idle;
  // Asked while nothing comes; true ends the trace.
  std::function<bool()> is_stopped = [] { return false; };
  // Gets what a user should know: the file begins anew, a pipe waits for its next writer.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

// Whether a file does not exist and its folder does: Follow() waits for it.
bool IsAwaitable(const std::string& path);

// A file that grows, a pipe, a device, or standard input ("-"); one that does not exist yet is waited for. Next() waits for the next event.
// A container may come as it is, or in the lines of a log (log_input.h). A file that is truncated or replaced, as a virtual machine does at its start, is read from its start: a new session whose numbers go on.
// The trace ends with its footer, with the last writer of standard input, and as the options say; whole chunks without a footer are then a
// whole trace, a chunk that was cut is truncated, and no event at all is an error. A named pipe may have a writer for each append: only a
// footer or the options end it.
// Null, and `error` set, when the file cannot be opened, is a socket, or is JSON by its name.
std::unique_ptr<Source> Follow(const std::string& path, const FollowOptions& options,
                               DiagnosticList& findings, OpenError& error);

}  // namespace dp2trace::trace_file
