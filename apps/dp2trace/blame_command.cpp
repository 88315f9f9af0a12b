#include "blame_command.h"

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
#include "work.h"

namespace dp2trace::app {
namespace {

// What is wrong with the trace is reported once, where several frames are recorded.
Status Feed(const BlameVerb& options, blame::Recorder& recorder, ExitCode& code,
            bool& is_readable) {
  DiagnosticList reading;
  const auto source =
      trace_file::WithResults(OpenTrace(options.trace, options.max_memory, reading, code));
  is_readable = source != nullptr;
  if (!is_readable) return OkStatus();
  Status status;
  ForEachEvent(*source, "blame", [&](const trace::EventRecord& record) {
    status = recorder.OnEvent(record.number, record.event);
    return status.ok() && !recorder.is_done();
  });
  if (code == ExitCode::kOk) code = ReportReading(options.trace, *source, reading);
  return status;
}

// The commands of the user have run: they would not in the sandbox.
ExitCode Explain(const BlameVerb& options, const Suspect& suspect) {
  Confine(options.is_sandboxed, {.traces = {options.trace}, .folders = {}, .files = {}});
  ExitCode code = ExitCode::kOk;
  bool is_readable = true;
  const Result<blame::Frame> recorded = blame::RecordFrame(
      {.last_draw = suspect.draw, .validation = options.validation, .raster = options.raster},
      suspect.span,
      [&](blame::Recorder& recorder) { return Feed(options, recorder, code, is_readable); });
  if (!is_readable) return code;
  if (!recorded.ok()) return Worse(code, ReportFailure(options.trace, recorded.status()));
  const blame::Frame& frame = *recorded;
  if (!frame.absence.empty()) {
    PrintError(frame.absence);
    return Worse(code, ExitCode::kNothingToDo);
  }
  const Result<bool> differs = AreDifferent(options, frame.picture, suspect.picture,
                                            TextOf(PictureName{frame.number, suspect.draw}));
  if (!differs.ok()) return Worse(code, ReportFailure(options.against, differs.status()));
  const blame::Blame found = blame::FindBlame(frame, suspect.picture, options.loose);
  const std::string text = options.json ? blame::ReportJson(frame, found, suspect.search)
                                        : blame::ReportText(frame, found, suspect.search);
  code = Worse(code, ReportOutput(WriteResult(text)));
  return *differs ? Worse(code, ExitCode::kFindings) : code;
}

ExitCode RunBlame(BlameVerb options) {
  if (options.trace == "-") {
    return UsageError("blame reads the trace more than once: standard input cannot be read again");
  }
  if (options.against.empty() && options.run.empty()) {
    return UsageError("blame needs a picture: --against PICTURE, or --run COMMAND");
  }
  ExitCode code = ResolveFrame(options.trace, options.max_memory, options.frame);
  if (code != ExitCode::kOk) return code;
  const std::optional<Suspect> suspect = FindSuspect(options, code);
  return suspect ? Worse(code, Explain(options, *suspect)) : code;
}

}  // namespace

void AddBlameCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<BlameVerb>();
  CLI::App* command = app.add_subcommand(
      "blame", "Say which draws make a picture of a driver wrong, and what they have in common");
  AddBlameOptions(*command, *options);
  AddExample(*command, "dp2trace blame capture.dp2t --frame 3 --against driver.png --tolerance 2");
  command->callback([options, &code] { code = RunBlame(*options); });
}

}  // namespace dp2trace::app
