// --follow and --idle: a trace that is read while it is written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arguments.h"
#include "base/diagnostic.h"
#include "exit_code.h"
#include "trace_file/source.h"

namespace dp2trace::app {

struct FollowOptions {
  bool is_followed = false;
  double idle = 0;  // seconds; 0: without end
};

void AddFollowOptions(Verb& command, FollowOptions& options);
// Says what to do about a terminal that changes bytes, where such a one is followed. Before the sandbox is there.
void CheckFollowed(const std::string& path, const FollowOptions& options);

// The trace, with the results of its calls: whole, or as it grows. An interrupt then ends it, a second one the program. Null, and `code` set,
// where it cannot be opened.
std::unique_ptr<trace_file::Source> OpenFollowed(const std::string& path, uint64_t max_memory,
                                                 const FollowOptions& options,
                                                 DiagnosticList& findings, ExitCode& code);

}  // namespace dp2trace::app
