// What `compare` says on standard error, and its exit codes.
#pragma once

#include <vector>

#include "compare_options.h"
#include "exit_code.h"
#include "image/compare_pairs.h"

namespace dp2trace::app {

// Says what cannot be read.
ExitCode ReportPair(const CompareVerb& options, const image::PairResult& result);

// Nothing is equal where nothing was compared.
ExitCode CheckCompared(const std::vector<image::PairResult>& results);

}  // namespace dp2trace::app
