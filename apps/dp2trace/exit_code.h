// The exit codes of the program. Source: lib/design.md 7.
#pragma once

#include <initializer_list>

namespace dp2trace::app {

enum class ExitCode {
  kOk = 0,
  kFindings = 1,  // at or above --fail-on, or differences
  kUsage = 2,
  kInput = 3,  // cannot be read, truncated or corrupt; or output cannot be written
  kInternal = 4,
  kNothingToDo = 77,
};

// The one that the program ends with where both hold: 4, 2, 3, 1, 77, 0.
constexpr ExitCode Worse(ExitCode a, ExitCode b) {
  for (const ExitCode code : {ExitCode::kInternal, ExitCode::kUsage, ExitCode::kInput,
                              ExitCode::kFindings, ExitCode::kNothingToDo}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::kOk;
}

// Where something that the command line names is absent: kUsage, or kInput where a part of the trace could not be read, which may have it.
constexpr ExitCode Absent(ExitCode reading) {
  return reading == ExitCode::kInput ? reading : Worse(reading, ExitCode::kUsage);
}

}  // namespace dp2trace::app
