// What `compare` says on standard error, and its exit codes.
#pragma once

#include <vector>

#include "compare/compare_pairs.h"
#include "compare_options.h"
#include "exit_code.h"

namespace dp2trace::app {

// Says what cannot be read.
ExitCode ReportPair(const CompareOptions& options, const compare::PairResult& result);

// Nothing is equal where nothing was compared.
ExitCode CheckCompared(const std::vector<compare::PairResult>& results);

}  // namespace dp2trace::app
