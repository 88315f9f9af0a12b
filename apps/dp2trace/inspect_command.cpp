#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/plain_text.h"
#include "console.h"
#include "inspect/data_folder.h"
#include "inspect/histories.h"
#include "inspect/inspector.h"
#include "inspect/summary.h"
#include "inspect_live.h"
#include "inspect_options.h"
#include "options.h"
#include "os/path.h"
#include "reread_trace.h"
#include "rule_options.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

inspect::RunHead HeadOf(const std::string& trace,
                        const std::vector<inspect::HistoryPixel>& pixels) {
  inspect::RunHead head = {.tool = "dp2trace " DP2TRACE_VERSION, .trace = trace};
  for (const inspect::HistoryPixel& pixel : pixels)
    head.history.push_back({pixel.x, pixel.y});
  return head;
}

ExitCode AddHistories(const InspectOptions& options, inspect::Inspector& inspector,
                      inspect::DataFolder& folder) {
  inspect::HistoryRequest request = {
      .frames = {}, .pixels = options.pixels, .play = options.inspect.play};
  request.play.renderer.clear();                                    // the fast one
  WorkBudget work(play::StepsOf(options.inspect.play.validation));  // of all replays together
  work.SpendAs(inspector.player().device().work());
  request.play.validation.work = &work;
  for (const auto& frame : inspector.frames())
    request.frames.push_back(frame.number);
  RereadTrace trace(options.trace, options.max_memory);
  const Result<std::string> absence = inspect::WriteHistories(request, trace, folder);
  if (!absence.ok()) return trace.Fail(absence.status());
  if (absence->empty()) return ExitCode::kOk;
  PrintError(*absence);
  return Absent(trace.code());
}

ExitCode RunInspect(InspectOptions options) {
  if (options.is_live) return WriteLivePage(options);
  if (options.trace.empty()) return UsageError("TRACE is required without --live");
  if (options.trace == "-" && !options.pixels.empty()) {
    return UsageError("--history reads the trace again: standard input can be read only once");
  }
  ExitCode code = ApplyRuleOptions(options.rules, options.inspect.play.validation);
  if (code != ExitCode::kOk) return code;
  Confine(options.is_sandboxed, {.traces = {options.trace}, .files = {options.output}});
  code = ResolveLast(options.trace, options.max_memory, "find the last",
                     {.frames = &options.inspect.frames, .draws = &options.inspect.draws});
  if (code != ExitCode::kOk) return code;
  const EarlierOutput earlier(options.output);
  Result<inspect::DataFolder> folder = inspect::DataFolder::Create(options.output);
  if (!folder.ok()) return ReportFailure(options.output, folder.status());
  inspect::Inspector inspector(options.inspect, *folder);
  Status status = folder->WritePage();
  if (status.ok() &&
      !PlayTrace({options.trace, options.max_memory, "inspect"}, inspector.player(), status, code))
    return code;
  const std::string name = NameOf(options.trace);
  if (status.ok()) status = inspector.Finish(HeadOf(name, options.pixels));
  if (const std::string absent = FindAbsent(options, inspector); status.ok() && !absent.empty()) {
    PrintError(absent);
    return Absent(code);
  }
  if (status.ok()) {
    const ExitCode histories = AddHistories(options, inspector, *folder);
    if (histories != ExitCode::kOk) return Worse(code, histories);
    status = folder->Commit();
  }
  if (!status.ok()) return Worse(code, ReportFailure(options.output, status));
  earlier.Report();
  if (options.frames->count() == 0 && inspector.frames().size() == kFirstFrames)
    PrintNote(fmt::format("the page has frames 1 to {}; --frames chooses others", kFirstFrames));
  const inspect::Summary summary = {name, options.output, folder->bytes(), inspector.frames(),
                                    inspector.left_out()};
  return Worse(code, ReportOutput(WriteResult(options.json ? inspect::SummaryJson(summary)
                                                           : inspect::SummaryText(summary))));
}

}  // namespace

void AddInspect(Verb& program) {
  auto options = std::make_shared<InspectOptions>();
  Verb& command =
      program.AddVerb("inspect", "Write an HTML page that steps through frames draw by draw");
  AddInspectOptions(command, *options);
  command.SetExample("dp2trace inspect capture.dp2t --frames 24 -o frame24");
  command.OnRun([options] { return RunInspect(*options); });
}

}  // namespace dp2trace::app
