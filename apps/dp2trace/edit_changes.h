// What `edit` changes: the words of its options and its patch, and what became of them.
#pragma once

#include <string>
#include <vector>

#include "edit/editor.h"
#include "exit_code.h"
#include "options.h"

namespace dp2trace::app {

struct EditOptions {
  std::string input;
  TraceOutput output;
  std::string patch;
  std::vector<std::string> sets, drops, moves, replaces;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  trace_model::WorkBounds work;
};

// Files that the changes name.
std::vector<std::string> PicturesOf(const EditOptions& options);
// False after a line that says what is wrong.
bool ReadChanges(const EditOptions& options, edit::Patch& patch, ExitCode& code);
// False, after a line for each, where a change matches nothing.
bool ReportUnmatched(const edit::Patch& patch, const edit::EditResult& result);
std::string DescribeEdit(const EditOptions& options, const edit::Patch& patch,
                         const edit::EditResult& result);

}  // namespace dp2trace::app
