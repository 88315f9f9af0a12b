#include "compare_summary.h"

#include <algorithm>

#include "console.h"

namespace dp2trace::app {
namespace {

// A picture of a folder that is missing is a difference; a file that was named and is not there is no input.
ExitCode CodeOf(compare::PairState state, bool are_folders) {
  switch (state) {
    case compare::PairState::kEqual:
    case compare::PairState::kAccepted:
    case compare::PairState::kOutside:  // counts where all are
      return ExitCode::kOk;
    case compare::PairState::kDifferent:
      return ExitCode::kFindings;
    case compare::PairState::kMissing:
    case compare::PairState::kExtra:
      return are_folders ? ExitCode::kFindings : ExitCode::kInput;
    case compare::PairState::kUnreadable:
      break;
  }
  return ExitCode::kInput;
}

}  // namespace

ExitCode ReportPair(const CompareOptions& options, const compare::PairResult& result) {
  const ExitCode code = CodeOf(result.state, options.are_folders);
  const bool is_missing = result.state == compare::PairState::kMissing;
  if (code == ExitCode::kInput && (is_missing || result.state == compare::PairState::kExtra))
    PrintError("there is no picture " + (is_missing ? options.actual : options.expected));
  ExitCode worst = code;
  for (const auto& [path, status] : result.failures)
    worst = Worse(worst, ReportFailure(path, status));
  return worst;
}

ExitCode CheckCompared(const std::vector<compare::PairResult>& results) {
  if (results.empty()) {
    PrintError("neither folder has a picture");
    return ExitCode::kNothingToDo;
  }
  const bool is_all_outside = std::ranges::all_of(results, [](const compare::PairResult& result) {
    return result.state == compare::PairState::kOutside;
  });
  if (!is_all_outside) return ExitCode::kOk;
  PrintError("nothing was compared: the region is outside of the pictures");
  return ExitCode::kNothingToDo;
}

}  // namespace dp2trace::app
