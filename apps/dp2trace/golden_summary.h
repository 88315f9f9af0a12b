// What `golden check` and `golden merge` say at their end.
#pragma once

#include <string>
#include <string_view>

#include "exit_code.h"
#include "golden/check.h"
#include "golden/golden.h"

namespace dp2trace::app {

// "12 traces: 10 match, 1 differ, 1 skipped"
std::string Describe(const golden::StatusCounts& counts);
// Of a check: the same, how often a trace was replayed again, and the traces that took longest; lines.
std::string SummaryOf(const golden::Check& check, const golden::Shard& shard, uint64_t slowest);
// What a command printed, below the line of its trace.
std::string Indented(std::string_view output);
// Whether `golden accept` would take something.
bool HasAcceptable(const golden::StatusCounts& counts);
// kFindings where one of them fails.
ExitCode ExitCodeOf(const golden::StatusCounts& counts);

// How what was found is accepted; `results` is empty where none were written, `store` where it has its usual place.
std::string DescribeAcceptance(std::string_view manifest, std::string_view results,
                               std::string_view store);

}  // namespace dp2trace::app
