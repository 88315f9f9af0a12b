#include "replay_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/plain_text.h"
#include "console.h"
#include "info/summary.h"
#include "os/files.h"
#include "os/path.h"
#include "replay/report_folder.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

void PrintDone(const ReplayOptions& options, const replay::Report& report) {
  const Status status = WriteResult(fmt::format(
      "{}: {}, {}, {}; {} and report.json in {}\n", Plain(report.trace),
      Counted(report.statistics.frames, "frame"), Counted(report.statistics.reads, "read"),
      Counted(report.statistics.draws, "draw"), Counted(report.images.size(), "picture"),
      Plain(options.output)));
  (void)status;  // FinishResult() reports it
}

// A selection that is more than "none".
bool IsAsked(bool is_given, const Selection& selection) {
  return is_given && !selection.IsPast(0);
}

// Frames, reads or draws that are asked for, while the trace is counted.
struct Wanted {
  const char* option;
  const char* noun;
  const Selection* selection;
  uint64_t count = 0;
  bool is_met = false;

  void CountTo(uint64_t now) {
    while (!is_met && count < now)
      is_met = selection->Contains(++count);
  }
};

std::vector<Wanted> WantedOf(const ReplayOptions& options) {
  const Selection& frames = options.replay.frames;
  std::vector<Wanted> wanted;
  if (IsAsked(options.has_frames, frames)) wanted.push_back({"--frames", "frame", &frames});
  if (IsAsked(options.has_reads, options.reads))
    wanted.push_back({"--reads", "read", &options.reads});
  if (IsAsked(options.has_draws, options.draws))
    wanted.push_back({"--draws", "draw", &options.draws});
  std::erase_if(wanted, [](const Wanted& one) { return one.selection->held_last(); });
  return wanted;
}

// A selection by which no picture was made.
ExitCode ReportUnmatched(const ReplayOptions& options, const replay::Report& report) {
  struct Chosen {
    bool is_given;
    const char* option;
    replay::ImageKind kind;
    std::string present;
  };
  const replay::Statistics& counts = report.statistics;
  const Chosen rows[] = {
      {IsAsked(options.has_frames, options.replay.frames), "--frames", replay::ImageKind::kFrame,
       RangeOf("frame", counts.frames)},
      {IsAsked(options.has_reads, options.reads), "--reads", replay::ImageKind::kRead,
       RangeOf("read", counts.reads)},
      {IsAsked(options.has_draws, options.draws), "--draws", replay::ImageKind::kDraw,
       RangeOf("draw", counts.draws)},
      {options.has_surface, "--surface", replay::ImageKind::kSurface,
       fmt::format("there is no surface {} {}", options.surface,
                   options.at.is_all() ? "at the end of the trace" : "after these events")},
  };
  ExitCode code = ExitCode::kOk;
  for (const Chosen& row : rows) {
    if (!row.is_given || std::ranges::count(report.images, row.kind, &replay::ImageInfo::kind) != 0)
      continue;
    PrintError(NothingChosen(row.option, row.present));
    // What could not be read may have had it: that has its own exit code.
    if (report.is_complete) code = ExitCode::kUsage;
  }
  return code;
}

}  // namespace

std::string NameInReport(const std::string& trace) {
  return LookAt(trace).kind == FileKind::kOther ? trace : NameOf(trace);
}

ExitCode CheckChosen(const ReplayOptions& options) {
  std::vector<Wanted> wanted = WantedOf(options);
  if (wanted.empty() || options.trace == "-" || options.follow.is_followed) return ExitCode::kOk;
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;  // reported when the trace is read again
  const std::unique_ptr<trace_file::Source> source =
      OpenTrace(options.trace, options.max_memory, findings, code);
  if (source == nullptr) return code;
  info::Summarizer summarizer;
  const Status read = ForEachEvent(*source, "replay", [&](const trace::EventRecord& record) {
    summarizer.Add(record.number, record.event, 0);  // no size is asked for
    const info::Summary& summary = summarizer.summary();
    for (Wanted& one : wanted) {
      one.CountTo(one.selection == &options.reads   ? summary.reads
                  : one.selection == &options.draws ? summary.draws
                                                    : summary.FrameCount());
    }
    return !std::ranges::all_of(wanted, &Wanted::is_met);
  });
  if (!read.ok() || source->is_incomplete()) return ExitCode::kOk;
  for (const Wanted& one : wanted) {
    if (one.is_met) continue;
    PrintError(NothingChosen(one.option, RangeOf(one.noun, one.count)));
    code = ExitCode::kUsage;
  }
  return code;
}

Status MakeRoom(const ReplayOptions& options) {
  const Result<uint64_t> removed = replay::RemoveEarlier(options.output, options.is_forced);
  if (!removed.ok()) return removed.status();
  if (*removed != 0)
    PrintNote(fmt::format("{} of an earlier replay removed from {}", Counted(*removed, "picture"),
                          Plain(options.output)));
  return OkStatus();
}

ExitCode PrintSummary(const ReplayOptions& options, const replay::Report& report) {
  PrintDone(options, report);
  return ReportUnmatched(options, report);
}

}  // namespace dp2trace::app
