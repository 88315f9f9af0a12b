#include "follow_options.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "console.h"
#include "os/console.h"
#include "os/interruption.h"
#include "os/path.h"
#include "trace_file/follow.h"
#include "trace_reading.h"

namespace dp2trace::app {
void AddFollowOptions(Verb& command, FollowOptions& options) {
  const Argument& follow =
      command.AddSwitch("--follow", options.is_followed,
                        "Go on with what is appended to TRACE (file, pipe, -) until its end, an "
                        "interrupt, or --idle");
  command
      .Add("--idle", options.idle,
           "With --follow: end where nothing was appended for so many seconds")
      .Positive()
      .Needs(follow)
      .Value("SECONDS");
}

void CheckFollowed(const std::string& path, const FollowOptions& options) {
  std::error_code error;
  if (!options.is_followed || !std::filesystem::is_character_file(ToPath(path), error)) return;
  if (ChangesBytes(path))
    PrintNote(fmt::format("{0} is a terminal that changes bytes; try: stty raw -F {0}", path));
}

std::unique_ptr<trace_file::Source> OpenFollowed(const std::string& path, uint64_t max_memory,
                                                 const FollowOptions& options,
                                                 DiagnosticList& findings, ExitCode& code) {
  if (!options.is_followed)
    return trace_file::WithResults(OpenTrace(path, max_memory, findings, code));
  trace_file::FollowOptions follow;
  follow.max_memory = max_memory;
  follow.is_stopped = WasInterrupted;
  follow.on_note = [](const std::string& note) { PrintNote(note); };
  if (options.idle > 0)
    follow.idle = std::chrono::milliseconds(static_cast<int64_t>(options.idle * 1000));
  HoldFirstInterruption();  // it ends the trace, and not the program
  if (trace_file::IsAwaitable(path))
    PrintNote(fmt::format("waiting for {}, which does not exist yet", path));
  trace_file::OpenError error;
  std::unique_ptr<trace_file::Source> source = trace_file::Follow(path, follow, findings, error);
  if (source == nullptr) {
    code = ReportFailure(path, error.status);
    if (error.is_usage) code = ExitCode::kUsage;
  }
  return trace_file::WithResults(std::move(source));
}

}  // namespace dp2trace::app
