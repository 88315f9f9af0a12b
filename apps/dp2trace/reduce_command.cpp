#include <filesystem>
#include <memory>
#include <string>

#include "base/plain_text.h"
#include "console.h"
#include "os/path.h"
#include "progress.h"
#include "reduce/reduce.h"
#include "reduce/reduce_report.h"
#include "reduce_options.h"
#include "reread_trace.h"
#include "sandbox_option.h"
#include "trace/draw_counter.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

ExitCode Search(const ReduceOptions& options, const reduce::Goal& goal, trace_model::Model model) {
  Progress bar("reduce", "candidate");
  const trace_model::WorkBounds& bounds = options.drawing.work;
  reduce::ReduceOptions search = {
      .workers = options.jobs,
      .max_steps = bounds.max_steps.value_or(device::StepsFor(bounds.file_bytes)),
      .on_stage = {}};
  reduce::ReduceReport report;
  // What was reached stands in the output: who stops the search goes on from there.
  search.on_stage = [&](const reduce::ReduceProgress& progress, const trace_model::Model& reached) {
    PrintNote(report.AddStage(progress));
    return reduce::WriteModel(reached, options.output.path);
  };
  search.on_try = [&](const reduce::ReduceProgress& progress) {
    report.SetTries(progress.tries);
    bar.Update(progress.tries, 0);
  };
  reduce::Reducer reducer(goal, search, std::move(model));
  Status status = reduce::WriteModel(reducer.model(), options.output.path);
  if (status.ok()) status = reducer.Run();
  if (!status.ok()) return ReportFailure(options.output.path, status);
  if (reducer.is_cut())
    PrintNote(Plain(options.output.path) + " can be reduced further, with more --max-steps");
  return options.json ? ReportOutput(WriteResult(report.Json(options.input, reducer.model())))
                      : ExitCode::kOk;
}

ExitCode RunReduce(const ReduceOptions& options) {
  if (CheckOutput(options.output) != ExitCode::kOk) return ExitCode::kUsage;
  if (options.input == "-") return UsageError("standard input can be read only once");
  const auto goal = reduce::MakeGoal(
      options.keep, options.drawing,
      options.read != 0 ? reduce::GoalPicture::kRead : reduce::GoalPicture::kFrame);
  if (!goal.ok()) return UsageError("--keep: " + goal.status().diagnostic().message);
  // A command does what it likes with the candidates. Parts of the trace wait in the folder for temporary files.
  if (!options.keep.starts_with("run=")) {
    Confine(options.is_sandboxed, {.traces = {options.input},
                                   .folders = {ToText(std::filesystem::temp_directory_path())},
                                   .files = {options.output.path}});
  }
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const auto first = OpenTrace(options.input, options.max_memory, findings, code);
  if (first == nullptr) return code;
  trace::FrameCounter frames;
  const Status read = ForEachEvent(*first, "read", [&frames](const trace::EventRecord& record) {
    frames.Add(record.event);
    return true;
  });
  code = ReportReading(options.input, *first, findings);
  if (!read.ok()) return code;
  const std::optional<uint64_t> asked = (*goal)->asked_frame();
  if (asked && (*asked == 0 || *asked > frames.count()))
    return ReportAbsent("frame", *asked, frames.count(), code);
  std::optional<reduce::EventSpan> part;
  if (options.read != 0) {
    history::FrameSpan span;
    const ExitCode found = FindSpan(options.input, options.max_memory, options.read, span);
    if (found != ExitCode::kOk) return found;
    part = {span.first, span.last};
  }
  const trace_model::Open open = [&] {
    return trace_file::OpenAgain(options.input, options.max_memory, findings);
  };
  Result<reduce::Start> start = reduce::FindStart(open, **goal, frames.presents(), options.drawing,
                                                  options.max_memory, ForEachEvent, part);
  if (!start.ok()) return ReportFailure(options.input, start.status());
  if (!start->model) {
    PrintError("--keep: " + start->why_not);
    return Absent(code);
  }
  return Worse(code, Search(options, **goal, std::move(*start->model)));
}

}  // namespace

void AddReduce(Verb& program) {
  auto options = std::make_shared<ReduceOptions>();
  Verb& command =
      program.AddVerb("reduce", "Shrink a trace while it still shows a given behaviour");
  AddReduceOptions(command, *options);
  command.SetExample("dp2trace reduce capture.dp2t small.json --keep pixel=120,80,#ff00ff@24");
  command.OnRun([options] { return RunReduce(*options); });
}

}  // namespace dp2trace::app
