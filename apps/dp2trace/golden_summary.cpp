#include "golden_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plain_text.h"

namespace dp2trace::app {

std::string Describe(const golden::StatusCounts& counts) {
  std::string text;
  uint64_t traces = 0;
  for (size_t i = 0; i < golden::kGoldenStatusCount; ++i) {
    traces += counts[i];
    if (counts[i] != 0) {
      text += fmt::format("{} {} {}", text.empty() ? ":" : ",", counts[i],
                          golden::Name(static_cast<golden::GoldenStatus>(i)));
    }
  }
  return Counted(traces, "trace") + text;
}

std::string SummaryOf(const golden::Check& check, const golden::Shard& shard, uint64_t slowest) {
  std::string text = Describe(check.counts());
  if (shard.count != 1) text += fmt::format(" (shard {})", Name(shard));
  text += "\n";
  if (check.retry_count() != 0) text += fmt::format("retries: {}\n", check.retry_count());
  for (const golden::TraceTime& trace : check.Slowest(slowest)) {
    text += fmt::format("{:>8.3f} s  {}\n", static_cast<double>(trace.milliseconds) / 1000.0,
                        Plain(trace.path));
  }
  return text;
}

std::string Indented(std::string_view output) {
  std::string text;
  while (!output.empty()) {
    const size_t end = std::min(output.find('\n'), output.size());
    text += fmt::format("    {}\n", Plain(output.substr(0, end)));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return text;
}

bool HasAcceptable(const golden::StatusCounts& counts) {
  for (size_t i = 0; i < golden::kGoldenStatusCount; ++i) {
    const auto status = static_cast<golden::GoldenStatus>(i);
    if (counts[i] != 0 && golden::Info(status).acceptance == golden::AcceptAction::kTaken)
      return true;
  }
  return false;
}

ExitCode ExitCodeOf(const golden::StatusCounts& counts) {
  if (counts[static_cast<size_t>(golden::GoldenStatus::kIncomplete)] != 0) return ExitCode::kInput;
  for (size_t i = 0; i < golden::kGoldenStatusCount; ++i) {
    if (counts[i] != 0 && golden::IsFailure(static_cast<golden::GoldenStatus>(i)))
      return ExitCode::kFindings;
  }
  return ExitCode::kOk;
}

std::string DescribeAcceptance(std::string_view manifest, std::string_view results,
                               std::string_view store) {
  return fmt::format("to accept: {}dp2trace golden accept --manifest {} --results {}{}{}",
                     results.empty() ? "check again with --results FILE, then " : "", manifest,
                     results.empty() ? "FILE" : results, store.empty() ? "" : " --store ", store);
}

}  // namespace dp2trace::app
