#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "blame/follow.h"
#include "blame/report.h"
#include "blame_options.h"
#include "blame_pictures.h"
#include "blame_search.h"
#include "console.h"
#include "history_frame.h"
#include "sandbox_option.h"
#include "verbs.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// The commands of the user have run: they would not in the sandbox.
ExitCode Explain(const BlameVerb& options, const Suspect& suspect) {
  if (!options.run.empty()) Confine(options.is_sandboxed, {.traces = {options.trace}});
  ExitCode code = ExitCode::kOk;
  bool is_readable = true;
  bool reports_reading = true;  // once, where several frames are recorded
  const Result<blame::Frame> recorded = blame::RecordFrame(
      {.last_draw = suspect.draw, .play = options.play}, suspect.span, [&](play::Player& player) {
        Status status;
        is_readable = PlayTrace({options.trace, options.max_memory, "blame", reports_reading},
                                player, status, code);
        reports_reading = false;
        return status;
      });
  if (!is_readable) return code;
  if (!recorded.ok()) return Worse(code, ReportFailure(options.trace, recorded.status()));
  const blame::Frame& frame = *recorded;
  if (!frame.absence.empty()) {
    PrintError(frame.absence);
    return Absent(code);
  }
  const PictureName name = {frame.number, suspect.draw, suspect.span.read};
  const Result<Likeness> likeness =
      CompareWith(options, frame.picture, suspect.picture, TextOf(name));
  if (!likeness.ok()) return Worse(code, ReportFailure(options.against, likeness.status()));
  if (*likeness == Likeness::kNotCompared) {
    PrintError("nothing was compared: the region is outside of the picture");
    return Worse(code, ExitCode::kNothingToDo);
  }
  const blame::Blame found = blame::FindBlame(frame, suspect.picture, options.loose);
  const std::string text = options.json ? blame::ReportJson(frame, found, suspect.search)
                                        : blame::ReportText(frame, found, suspect.search);
  code = Worse(code, ReportOutput(WriteResult(text)));
  return *likeness == Likeness::kDifferent ? Worse(code, ExitCode::kFindings) : code;
}

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
