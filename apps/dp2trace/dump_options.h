// What `dump` is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options.h"
#include "text/dump.h"

namespace dp2trace::app {

struct DumpOptions {
  std::string trace;
  std::vector<std::string> names;  // of operations and events
  text::DumpOptions dump;
  bool vertices = false;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
};

void AddDumpOptions(Verb& command, DumpOptions& options);
// Puts the names of operations and events into the selection of the dump.
void ChooseNames(DumpOptions& options);

}  // namespace dp2trace::app
