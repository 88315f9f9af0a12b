#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "base/shell_command.h"
#include "blame/search.h"
#include "blame_options.h"
#include "blame_reports.h"
#include "console.h"
#include "frame_options.h"
#include "os/path.h"
#include "reread_trace.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// What the pictures are asked of lacks something; empty: nothing.
std::string FindUsageError(const blame::SearchOptions& search) {
  const std::string& run = search.command.text;
  std::error_code error;
  if (!run.empty()) {
    constexpr std::string_view kPlaces[] = {"draw", "frame", "out"};
    if (const std::string wrong = FindPlaceError(run, kPlaces); !wrong.empty())
      return "--run " + wrong;
    const bool is_whole = run.find("{out}") != std::string::npos &&
                          (search.command.NamesDraw() || run.find("{frame}") != std::string::npos);
    return is_whole ? "" : "--run needs {out}, and {draw} or {frame}";
  }
  const bool is_one = search.against != blame::kRecorded &&
                      !std::filesystem::is_directory(ToPath(search.against), error);
  return is_one && search.frame == 0 && search.read == 0 ? "one picture needs --frame N or --read N"
                                                         : "";
}

ExitCode RunBlame(BlameOptions options) {
  blame::SearchOptions& search = options.search;
  if (options.trace == "-") {
    return UsageError("blame reads the trace more than once: standard input cannot be read again");
  }
  if (search.against.empty() && search.command.text.empty()) {
    return UsageError("blame needs a picture: --against PICTURE, or --run COMMAND");
  }
  const bool runs = !search.command.text.empty();
  if (!runs) {
    Confine(options.is_sandboxed,
            {.traces = {options.trace},
             .inputs = {search.against == blame::kRecorded ? std::string() : search.against}});
  }
  const ExitCode code = ResolveFrame(options.trace, options.max_memory, search.frame);
  if (code != ExitCode::kOk) return code;
  if (const std::string error = FindUsageError(search); !error.empty()) return UsageError(error);
  if (options.timeout != 0) search.command.timeout = std::chrono::seconds(options.timeout);
  search.on_look = [](const blame::PictureName& name, blame::Likeness likeness) {
    PrintNote(fmt::format("{}: {}", blame::TextOf(name),
                          likeness == blame::Likeness::kDifferent ? "differs" : "equal"));
  };
  WorkBudget work(play::StepsOf(search.play.validation));  // of all replays together
  search.play.validation.work = &work;
  RereadTrace trace(options.trace, options.max_memory);
  const blame::SearchEnd end = blame::FindSuspect(search, trace);
  if (end.kind != blame::SearchEnd::Kind::kSuspect) return ReportEnd(options, end, trace);
  // The commands of the user have run: they would not in the sandbox.
  if (runs) Confine(options.is_sandboxed, {.traces = {options.trace}});
  return ReportBlame(options, end.suspect, trace);
}

}  // namespace

void AddBlame(Verb& program) {
  auto options = std::make_shared<BlameOptions>();
  Verb& command = program.AddVerb(
      "blame",
      "Find the draws that make a picture of a driver wrong, and what they have in common");
  AddBlameOptions(command, *options);
  command.SetExample("dp2trace blame capture.dp2t --frame 3 --against driver.png --tolerance 2");
  command.OnRun([options] { return RunBlame(*options); });
}

}  // namespace dp2trace::app
