// What `coverage` is asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "options.h"
#include "text/list.h"

namespace dp2trace::app {

struct CoverageVerb {
  std::vector<std::string> traces;
  std::vector<std::string> results;
  std::string minimal;
  text::ListFormat format = text::ListFormat::kText;
  bool lists_missing = false;
  bool finds_edges = false;
  uint32_t threads = 1;  // 0: one per processor
  uint64_t max_memory = kDefaultMaxMemory;
};

void AddCoverageOptions(CLI::App& command, CoverageVerb& options);

}  // namespace dp2trace::app
