// The options of `lint`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "lint/linter.h"
#include "options.h"
#include "rule_options.h"

namespace dp2trace::app {

struct LintVerb {
  std::vector<std::string> traces;
  lint::LinterOptions lint;
  RuleOptions rules;
  std::string format = "text";
  std::string color = "auto";
  std::vector<std::string> outputs;
  std::string html;  // folder of the page; empty: none
  bool is_sandboxed = true;
  uint32_t threads = 1;  // 0: one per processor
  uint64_t max_memory = kDefaultMaxMemory;
};

void AddLintOptions(CLI::App& command, LintVerb& options);

}  // namespace dp2trace::app
