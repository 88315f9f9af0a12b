// `golden check`: replays the traces of a manifest and compares, exactly.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/plain_text.h"
#include "console.h"
#include "golden_check_options.h"
#include "golden_own_options.h"
#include "golden_suite.h"
#include "golden_summary.h"
#include "interruption.h"
#include "options.h"
#include "progress.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// Standard output is for people, unless the results go there.
bool IsOnStandardOutput(const CheckOptions& options) {
  return options.check.results == "-";
}

Status Print(const golden::TraceResult& result) {
  if (result.status == golden::GoldenStatus::kMatch) return OkStatus();
  return WriteResult(fmt::format("{}: {}: {}\n{}", golden::Name(result.status), Plain(result.path),
                                 Plain(result.message), Indented(result.output)));
}

Status RunShard(golden::Check& check, const golden::Shard& shard, bool is_silent) {
  Progress progress("golden check", "trace");
  std::atomic<uint64_t> checked = 0;
  std::atomic<uint64_t> all = check.trace_count();
  const InterruptionNote note([&checked, &all] {
    return fmt::format("{} of {} were checked; no results were written", checked.load(),
                       Counted(all.load(), "trace"));
  });
  return check.Run(
      shard,
      [is_silent](const golden::TraceResult& result) {
        return is_silent ? OkStatus() : Print(result);
      },
      [&](uint64_t done, uint64_t total) {
        checked = done;
        all = total;
        progress.Update(done, total);
      });
}

ExitCode RunCheck(const CheckOptions& options) {
  golden::Check check(options.check);
  const std::optional<golden::Shard> shard = FindShard(options.shard);
  if (!shard) return ExitCode::kUsage;
  if (const Status status = check.List(); !status.ok())
    return ReportFailure(check.failed_at(), status);
  if (check.trace_count() == 0) {
    PrintNote("no trace matches");
    return ExitCode::kNothingToDo;
  }
  if (const Status status = RunShard(check, *shard, IsOnStandardOutput(options)); !status.ok())
    return ReportFailure(check.failed_at(), status);
  if (!check.note().empty()) PrintNote(check.note());
  const Status status = IsOnStandardOutput(options)
                            ? OkStatus()
                            : WriteResult(SummaryOf(check, *shard, options.slowest));
  ExitCode code = Worse(ReportOutput(status), ExitCodeOf(check.counts()));
  const bool has_checked =
      std::ranges::any_of(check.counts(), [](uint64_t count) { return count != 0; });
  if (!has_checked) {
    PrintNote(fmt::format("no trace is in shard {}", Name(*shard)));
    code = Worse(code, ExitCode::kNothingToDo);
  }
  const bool is_whole =
      shard->count == 1 && !IsOnStandardOutput(options) && !options.check.own.is_used();
  if (is_whole && HasAcceptable(check.counts())) {
    const golden::CheckOptions& files = options.check;
    PrintNote(DescribeAcceptance(files.manifest, files.results, files.store));
  }
  return code;
}

}  // namespace

void AddGoldenCheck(Verb& golden) {
  auto options = std::make_shared<CheckOptions>();
  Verb& command = golden.AddVerb(
      "check", "Replay the traces in a manifest; fail if a picture or finding is not as expected");
  AddCheckOptions(command, *options);
  command.TakeConfiguration();
  command.SetExample(
      "dp2trace golden check --manifest traces/manifest.json --store pictures --results results.jsonl --shard 2/8");
  command.OnRun([options] {
    golden::CheckOptions& check = options->check;
    if (CheckPlaces({check.results, check.times}, options->is_forced) != ExitCode::kOk)
      return ExitCode::kUsage;
    if (!CheckOwnRenderer(check.own) || !FindSuite(options->suite, check.manifest))
      return ExitCode::kUsage;
    if (!options->suite.empty() && check.choice.paths.empty())
      check.choice.paths = SuiteFolders(check.manifest);
    if (options->max_memory != 0) check.limits.max_memory = options->max_memory;
    if (options->max_worker_memory != 0)
      check.limits.max_worker_memory = options->max_worker_memory;
    check.version = DP2TRACE_VERSION;
    if (check.actual.empty() && !check.results.empty() && !IsOnStandardOutput(*options))
      check.actual = check.results + ".pictures";
    return RunCheck(*options);
  });
}

}  // namespace dp2trace::app
