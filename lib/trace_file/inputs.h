// The traces that a verb for many of them works on: files, folders and patterns become one list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dp2trace::trace_file {

struct Inputs {
  std::vector<std::string> paths;        // ascending, each once
  std::vector<std::string> unmatched;    // folders and patterns that hold no trace
  std::vector<std::string> passed_over;  // sentences: what below the folders could not be looked at
};

// A folder stands for all traces below it, links followed: *.dp2t, and *.json that start as a trace does. A name that is not a file and has
// *, ? or [ in it is a pattern: * and ? match within a name, [abc] one of the characters, ** any number of folders. Any other name stands for
// itself, whether it exists or not.
Inputs ExpandInputs(const std::vector<std::string>& names);

// Whether a name of a file matches one part of a pattern.
bool MatchesName(std::string_view pattern, std::string_view name);

}  // namespace dp2trace::trace_file
