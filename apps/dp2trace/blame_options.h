// What `blame` is asked for.
#pragma once

#include <cstdint>
#include <string>

#include "blame/search.h"
#include "options.h"

namespace dp2trace::app {

struct BlameOptions {
  std::string trace;
  blame::SearchOptions search;
  uint32_t timeout = 60;  // seconds, of one run of its command
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
};

void AddBlameOptions(Verb& command, BlameOptions& options);

}  // namespace dp2trace::app
