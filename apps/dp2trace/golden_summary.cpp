#include "golden_summary.h"

#include <fmt/format.h>

namespace dp2trace::app {

std::string Describe(const report::StatusCounts& counts) {
  std::string text;
  uint64_t traces = 0;
  for (size_t i = 0; i < report::kGoldenStatusCount; ++i) {
    traces += counts[i];
    if (counts[i] != 0)
      text += fmt::format("{} {} {}", text.empty() ? ":" : ",", counts[i],
                          report::Name(static_cast<report::GoldenStatus>(i)));
  }
  return report::Count(traces, "trace") + text;
}

ExitCode ExitCodeOf(const report::StatusCounts& counts) {
  for (size_t i = 0; i < report::kGoldenStatusCount; ++i) {
    if (counts[i] != 0 && report::IsFailure(static_cast<report::GoldenStatus>(i)))
      return ExitCode::kFindings;
  }
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
