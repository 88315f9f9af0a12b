#include "replay_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/plain_text.h"
#include "console.h"
#include "replay/report_folder.h"
#include "work.h"

namespace dp2trace::app {
namespace {

void PrintDone(const ReplayVerb& options, const replay::Report& report) {
  const Status status = WriteResult(fmt::format(
      "{}: {}, {}, {}; {} and report.json in {}\n", Plain(report.trace),
      Counted(report.statistics.frames, "frame"), Counted(report.statistics.reads, "read"),
      Counted(report.statistics.draws, "draw"), Counted(report.images.size(), "picture"),
      Plain(options.output)));
  (void)status;  // FinishResult() reports it
}

// A selection by which no picture was made.
ExitCode ReportUnmatched(const ReplayVerb& options, const replay::Report& report) {
  struct Chosen {
    bool is_given;
    const char* option;
    replay::ImageKind kind;
    std::string present;
  };
  const replay::Statistics& counts = report.statistics;
  const Chosen rows[] = {
      {options.has_frames && !options.replay.frames.IsPast(0), "--frames",
       replay::ImageKind::kFrame, RangeOf("frame", counts.frames)},
      {options.has_reads && !options.reads.IsPast(0), "--reads", replay::ImageKind::kRead,
       RangeOf("read", counts.reads)},
      {options.has_draws && !options.draws.IsPast(0), "--draws", replay::ImageKind::kDraw,
       RangeOf("draw", counts.draws)},
      {options.has_surface, "--surface", replay::ImageKind::kSurface,
       fmt::format("there is no surface {} where it was asked for", options.surface)},
  };
  ExitCode code = ExitCode::kOk;
  for (const Chosen& row : rows) {
    if (!row.is_given || std::ranges::count(report.images, row.kind, &replay::ImageInfo::kind) != 0)
      continue;
    PrintError(fmt::format("{} chose nothing that can be shown; {}", row.option, row.present));
    // What could not be read may have had it: that has its own exit code.
    if (report.is_complete) code = ExitCode::kUsage;
  }
  return code;
}

}  // namespace

Status MakeRoom(const ReplayVerb& options) {
  const Result<uint64_t> removed = replay::RemoveEarlier(options.output, options.is_forced);
  if (!removed.ok()) return removed.status();
  if (*removed != 0)
    PrintNote(fmt::format("{} of an earlier replay removed from {}", Counted(*removed, "picture"),
                          Plain(options.output)));
  return OkStatus();
}

ExitCode PrintSummary(const ReplayVerb& options, const replay::Report& report) {
  PrintDone(options, report);
  return ReportUnmatched(options, report);
}

}  // namespace dp2trace::app
