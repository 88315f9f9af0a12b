#include "golden_summary.h"

#include <fmt/format.h>

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

}  // namespace dp2trace::app
