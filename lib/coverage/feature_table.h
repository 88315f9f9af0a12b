// What of the interface another renderer supports: each operation, state, value, format and instruction beside the traces that exercise it
// and whether their pictures were right.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "coverage/coverage.h"
#include "tables/list.h"

namespace dp2trace::coverage {

// Of a trace that was drawn; the worst last.
enum class Verdict : uint8_t {
  kRight,      // all pictures are as expected
  kWrong,      // some are not
  kNoPicture,  // one was not written, or cannot be used
  kTimedOut,
  kCrashed,
};

struct JudgedTrace {
  TraceCoverage coverage;
  Verdict verdict = Verdict::kRight;
};

// A table of how many of each group are supported, then one for each group, in the order of the interface's tables: `supported` (all
// traces that exercise it are right), `partly`, and where none is the worst that happened: `wrong`, `no picture`, `timed out` or
// `crashed`; with the counts and the first traces that are not right. What no trace exercises is left out, and so are rules.
std::string FeatureTable(std::span<const JudgedTrace> traces, tables::ListFormat format);

}  // namespace dp2trace::coverage
