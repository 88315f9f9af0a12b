// What of the interface a set of traces exercises: operations, states and their values, formats, primitive types, shader instructions and
// rules. What there is to exercise comes from the tables, so that a new row appears by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "lint/lint_run.h"
#include "tables/list.h"

namespace dp2trace::coverage {

struct CoverageGroup {
  std::string_view key;            // in JSON: "render_state_values"
  std::string_view title;          // in text and Markdown
  std::vector<std::string> names;  // in the order of the table, each once
  bool is_on_demand = false;       // is shown where something of it is covered
};
// Of the rules that a trace barely keeps; who looks for them (coverage::FindBarelyKept) adds them.
inline constexpr std::string_view kBarelyKeptGroup = "rules_barely_kept";
// Everything that a trace can exercise.
const std::vector<CoverageGroup>& CoverageGroups();

// What a trace exercised: "GROUP/NAME".
using CoveredItems = std::set<std::string>;

struct TraceCoverage {
  std::string trace;  // its path
  CoveredItems items;
};

struct CoverageResult {
  TraceCoverage coverage;
  std::optional<trace_file::OpenError> error;  // the file could not be opened: nothing is covered
  bool is_incomplete = false;                  // not every event could be read and run
  Status read;                                 // of the source
};
// Runs one trace without drawing. A state counts when a token or state block writes a legal value, a primitive type when a draw is
// executed, a shader instruction when the driver is given its code, a rule when it is broken.
CoverageResult CoverFile(const std::string& path, const lint::LintJob& job);
// What else a trace that could be opened exercises; called on several threads.
using MoreItems = std::function<void(const std::string& path, CoveredItems& items)>;
// All of them on job.threads threads; the results are in the order of `paths`.
std::vector<CoverageResult> CoverFiles(const std::vector<std::string>& paths,
                                       const lint::LintJob& job, const MoreItems& add_more = {});

// Traces in the order of their paths; those of one path become one.
std::vector<TraceCoverage> Merged(std::vector<TraceCoverage> traces);
CoveredItems AllCovered(std::span<const TraceCoverage> traces);
// Paths of few traces that cover together what all do: each the one that adds most, of equals the first by path.
std::vector<std::string> MinimalTraces(std::span<const TraceCoverage> traces);

// Text and Markdown: a row for each group with how many of its items are covered and their names, or the names of the others. JSON has
// both, and what each trace covers, so that results can be merged.
std::string CoverageText(std::span<const TraceCoverage> traces, bool lists_missing,
                         tables::ListFormat format);
// Appends the traces of a JSON result. Fails where it is none, or names what the tables of this version lack.
Status ReadCoverage(const std::string& path, std::vector<TraceCoverage>& traces);

}  // namespace dp2trace::coverage
