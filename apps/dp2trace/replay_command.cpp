#include <chrono>
#include <memory>
#include <string>

#include "base/file_update.h"
#include "console.h"
#include "os/files.h"
#include "os/path.h"
#include "replay/replayer.h"
#include "replay/report_folder.h"
#include "replay_options.h"
#include "replay_summary.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// What the user asked for that is known only at the end of the trace.
ExitCode ResolveSelections(ReplayOptions& options) {
  const bool needs_last = options.at.needs_last() || options.replay.frames.needs_last() ||
                          options.draws.needs_last() || options.reads.needs_last();
  if (options.follow.is_followed && needs_last) {
    return UsageError("'last' needs a whole trace: one that is followed has no last event yet");
  }
  const ExitCode code = ResolveLast(options.trace, options.max_memory, "replay",
                                    {.events = &options.at,
                                     .frames = &options.replay.frames,
                                     .draws = &options.draws,
                                     .reads = &options.reads});
  return code == ExitCode::kOk ? CheckChosen(options) : code;
}

// The file of capabilities has been read.
void ConfineTo(const ReplayOptions& options) {
  Confinement confinement = {.traces = {options.trace}, .folders = {options.output}};
  CheckFollowed(options.trace, options.follow);
  confinement.is_growing = options.follow.is_followed;
  // A trace that does not exist yet, or is replaced, is found in its folder.
  if (options.follow.is_followed && options.trace != "-")
    confinement.inputs.push_back(FolderOf(options.trace));
  Confine(options.is_sandboxed, confinement);
}

ExitCode RunReplay(ReplayOptions options) {
  ExitCode code = ApplyRuleOptions(options.rules, options.replay.validation);
  if (code != ExitCode::kOk) return code;
  ConfineTo(options);
  code = ResolveSelections(options);
  if (code != ExitCode::kOk) return code;
  options.replay.stops_when_shown = !options.replay.frames.held_last() && !options.at.held_last() &&
                                    !options.draws.held_last() && !options.reads.held_last();
  if (options.has_draws) options.replay.draws = options.draws;
  if (options.has_reads) options.replay.reads = options.reads;
  if (options.has_surface) options.replay.surface = options.surface;
  if (options.has_at) options.replay.surface_at = options.at;
  // What grows has no size.
  if (options.follow.is_followed) {
    options.replay.validation.file_bytes.reset();
    if (!options.replay.validation.max_steps) options.replay.validation.max_steps = UINT64_MAX;
  }
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      OpenFollowed(options.trace, options.max_memory, options.follow, findings, code);
  if (source == nullptr) return code;
  if (const Status made = MakeFolder(options.output); !made.ok())
    return ReportFailure(options.output, made);
  const Result<Descriptor> lock = LockFolder(options.output);
  if (!lock.ok()) return ReportFailure(options.output, lock.status());
  if (const Status made = MakeRoom(options); !made.ok()) return ReportFailure(options.output, made);

  const auto start = std::chrono::steady_clock::now();
  replay::PictureFolder images(options.output);
  replay::Replayer replayer(options.replay, findings, images);
  Status status;
  const Status read = ForEachEvent(*source, "replay", [&](const trace::EventRecord& record) {
    status = trace_file::Placed(*source, findings,
                                [&] { return replayer.OnEvent(record.number, record.event); });
    return status.ok() && !replayer.statistics().is_stopped;
  });
  if (status.ok() && read.ok())
    status = trace_file::Placed(*source, findings, [&] { return replayer.Finish(); });
  if (const Status written = images.Finish(); status.ok()) status = written;

  replay::Report report;
  report.trace = NameInReport(options.trace);
  report.is_complete = !source->is_incomplete();
  report.reading = source->status();
  report.images = images.Take();
  report.statistics = replayer.statistics();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (options.has_times) report.seconds = seconds.count();
  if (status.ok()) status = replay::WriteReport(options.output, report, findings);
  code = Worse(ReportReading(options.trace, *source, findings),
               status.ok() ? ExitCode::kOk : ReportFailure(options.output, status));
  if (status.ok()) code = Worse(code, PrintSummary(options, report));
  return HasFailed(options.fail_on, findings) ? Worse(code, ExitCode::kFindings) : code;
}

}  // namespace

void AddReplay(Verb& program) {
  auto options = std::make_shared<ReplayOptions>();
  Verb& command =
      program.AddVerb("replay", "Execute a trace and write its frames as PNG, and report.json");
  AddReplayOptions(command, *options);
  command.TakeConfiguration();
  command.SetExample("dp2trace replay capture.dp2t -o pictures --frames 1-10");
  command.OnRun([options, &command] {
    options->has_frames = command.count("--frames") != 0;
    options->has_draws = command.count("--draws") != 0;
    options->has_reads = command.count("--reads") != 0;
    options->has_at = command.count("--at") != 0;
    options->has_surface = command.count("--surface") != 0;
    return RunReplay(*options);
  });
}

}  // namespace dp2trace::app
