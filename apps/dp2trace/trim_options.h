// What `trim` is asked for.
#pragma once

#include <cstdint>
#include <string>

#include "base/selection.h"
#include "options.h"
#include "trace_model/render_options.h"

namespace dp2trace::app {

struct TrimOptions {
  std::string input;
  TraceOutput output;
  Selection frames;
  Selection draws;
  uint64_t read = 0;  // 0: the others
  bool chooses_draws = false;
  bool json = false;
  trace_model::RenderOptions drawing;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
};

void AddTrimOptions(Verb& command, TrimOptions& options);

}  // namespace dp2trace::app
