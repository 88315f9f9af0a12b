#include "compare_summary.h"

#include <algorithm>

#include "console.h"

namespace dp2trace::app {
namespace {

// A picture of a folder that is missing is a difference; a file that was named and is not there is no input.
ExitCode CodeOf(image::PairState state, bool are_folders) {
  switch (state) {
    case image::PairState::kEqual:
    case image::PairState::kAccepted:
    case image::PairState::kOutside:  // counts where all are
      return ExitCode::kOk;
    case image::PairState::kDifferent:
      return ExitCode::kFindings;
    case image::PairState::kMissing:
    case image::PairState::kExtra:
      return are_folders ? ExitCode::kFindings : ExitCode::kInput;
    case image::PairState::kUnreadable:
      break;
  }
  return ExitCode::kInput;
}

}  // namespace

ExitCode ReportPair(const CompareVerb& options, const image::PairResult& result) {
  const ExitCode code = CodeOf(result.state, options.are_folders);
  const bool is_missing = result.state == image::PairState::kMissing;
  if (code == ExitCode::kInput && (is_missing || result.state == image::PairState::kExtra))
    PrintError("there is no picture " + (is_missing ? options.actual : options.expected));
  ExitCode worst = code;
  for (const auto& [path, status] : result.failures)
    worst = Worse(worst, ReportFailure(path, status));
  return worst;
}

ExitCode CheckCompared(const std::vector<image::PairResult>& results) {
  if (results.empty()) {
    PrintError("neither folder has a picture");
    return ExitCode::kNothingToDo;
  }
  const bool is_all_outside = std::ranges::all_of(results, [](const image::PairResult& result) {
    return result.state == image::PairState::kOutside;
  });
  if (!is_all_outside) return ExitCode::kOk;
  PrintError("nothing was compared: the region is outside of the pictures");
  return ExitCode::kNothingToDo;
}

}  // namespace dp2trace::app
