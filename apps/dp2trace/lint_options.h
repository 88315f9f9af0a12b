// The options of `lint`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exit_code.h"
#include "lint/finding_postprocessor.h"
#include "lint/lint_run.h"
#include "options.h"
#include "rule_options.h"

namespace dp2trace::app {

struct LintOptions {
  std::vector<std::string> traces;
  lint::PostprocessorOptions lint;
  RuleOptions rules;
  std::string format = "text";
  std::string color = "auto";
  std::vector<std::string> outputs;
  bool replaces_outputs = false;
  std::string html;  // folder of the page; empty: none
  bool is_verbose = false;
  bool is_allowed_in_ci = false;
  bool is_sandboxed = true;
  uint32_t threads = 1;
  uint64_t max_memory = kDefaultMaxMemory;
  std::optional<uint64_t> max_steps;
};

void AddLintOptions(Verb& command, LintOptions& options);
// How each trace is checked; the limits of the list of findings are the postprocessor's.
ExitCode ApplyOptions(const LintOptions& options, lint::LintJob& job);

}  // namespace dp2trace::app
