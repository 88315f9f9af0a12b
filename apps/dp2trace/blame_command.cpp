#include <memory>
#include <optional>
#include <string>

#include "blame_explain.h"
#include "blame_options.h"
#include "blame_search.h"
#include "console.h"
#include "history_frame.h"
#include "sandbox_option.h"
#include "verbs.h"
#include "work.h"

namespace dp2trace::app {
namespace {

ExitCode RunBlame(BlameVerb options) {
  if (options.trace == "-") {
    return UsageError("blame reads the trace more than once: standard input cannot be read again");
  }
  if (options.against.empty() && options.run.empty()) {
    return UsageError("blame needs a picture: --against PICTURE, or --run COMMAND");
  }
  if (options.run.empty())
    Confine(options.is_sandboxed,
            {.traces = {options.trace},
             .inputs = {options.against == kRecorded ? std::string() : options.against}});
  ExitCode code = ResolveFrame(options.trace, options.max_memory, options.frame);
  if (code != ExitCode::kOk) return code;
  WorkBudget work(play::StepsOf(options.play.validation));  // of all replays together
  options.play.validation.work = &work;
  const std::optional<Suspect> suspect = FindSuspect(options, code);
  return suspect ? Worse(code, Explain(options, *suspect)) : code;
}

}  // namespace

void AddBlame(Verb& program) {
  auto options = std::make_shared<BlameVerb>();
  Verb& command = program.AddVerb(
      "blame", "Say which draws make a picture of a driver wrong, and what they have in common");
  AddBlameOptions(command, *options);
  command.SetExample("dp2trace blame capture.dp2t --frame 3 --against driver.png --tolerance 2");
  command.OnRun([options] { return RunBlame(*options); });
}

}  // namespace dp2trace::app
