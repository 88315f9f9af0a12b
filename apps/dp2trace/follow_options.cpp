#include "follow_options.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>

#include "console.h"
#include "trace_file/follow.h"
#include "work.h"

namespace dp2trace::app {
namespace {

using Handler = void (*)(int);

// The first signal ends the trace that is followed, a second one the program.
volatile std::sig_atomic_t is_interrupted = 0;
Handler handler_before = SIG_DFL;
void Interrupt(int signal) {
  is_interrupted = 1;
  (void)std::signal(signal, handler_before);
}

}  // namespace

void AddFollowOptions(CLI::App& command, FollowOptions& options) {
  command.add_flag("--follow", options.is_followed,
                   "Go on with what is appended to TRACE (file, pipe, -) until its end, an "
                   "interrupt, or --idle");
  command
      .add_option("--idle", options.idle,
                  "With --follow: end where nothing was appended for so many seconds")
      ->check(CLI::PositiveNumber)
      ->needs("--follow")
      ->type_name("SECONDS");
}

std::unique_ptr<trace_file::Source> OpenFollowed(const std::string& path, uint64_t max_memory,
                                                 const FollowOptions& options,
                                                 DiagnosticList& findings, ExitCode& code) {
  if (!options.is_followed)
    return trace_file::WithResults(OpenTrace(path, max_memory, findings, code));
  trace_file::FollowOptions follow;
  follow.max_memory = max_memory;
  follow.is_stopped = [] { return is_interrupted != 0; };
  if (options.idle > 0)
    follow.idle = std::chrono::milliseconds(static_cast<int64_t>(options.idle * 1000));
  handler_before = std::signal(SIGINT, Interrupt);
  (void)std::signal(SIGTERM, Interrupt);
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
