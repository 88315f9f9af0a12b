// The work of `lint`: traces are checked on several threads, and handed over in the order of their names.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "play/runner.h"
#include "trace_file/source.h"

namespace dp2trace::lint {

struct LintJob {
  play::RunnerOptions validation;
  DiagnosticLimits limits;
  uint64_t max_memory = 0;  // bytes, for reading one trace
  uint32_t threads = 1;     // traces that are checked at a time
  // Hears of a trace that is the only one checked how many of its bytes have been read, of how many (0: not known); false ends it. May be empty.
  std::function<bool(const std::string& path, uint64_t done, uint64_t total)> progress;
};

struct LintResult {
  std::string file;
  DiagnosticList findings;
  std::optional<trace_file::OpenError> error;  // of opening, or reading to the end
  bool is_incomplete = false;                  // not every event could be read
};

// Checks one trace, on the calling thread.
LintResult LintFile(const std::string& path, const LintJob& job);

// Checks all of them; `take` gets the results in the order of `paths`, on the calling thread, until it returns false. No more results
// wait for their turn than a few per thread.
void LintFiles(const std::vector<std::string>& paths, const LintJob& job,
               const std::function<bool(LintResult)>& take);

}  // namespace dp2trace::lint
