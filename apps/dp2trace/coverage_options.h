// What `coverage` is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "tables/list.h"

namespace dp2trace::app {

struct CoverageOptions {
  std::vector<std::string> traces;
  std::vector<std::string> results;
  std::string minimal;
  bool is_forced = false;
  tables::ListFormat format = tables::ListFormat::kText;
  bool lists_missing = false;
  bool finds_edges = false;
  uint32_t threads = 1;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  std::optional<uint64_t> max_steps;  // of each trace
};

void AddCoverageOptions(Verb& command, CoverageOptions& options);

}  // namespace dp2trace::app
