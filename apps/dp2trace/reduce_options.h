// The options of `reduce`.
#pragma once

#include <cstdint>
#include <string>

#include "arguments.h"
#include "options.h"
#include "trace_model/render_options.h"

namespace dp2trace::app {

struct ReduceOptions {
  std::string input;
  TraceOutput output;
  std::string keep;
  uint64_t read = 0;  // 0: none
  trace_model::RenderOptions drawing = {.raster = {.threads = 1}};
  uint32_t jobs = 1;
  uint64_t max_memory = kDefaultMaxMemory;
  bool is_sandboxed = true;
  bool json = false;
};

void AddReduceOptions(Verb& command, ReduceOptions& options);

}  // namespace dp2trace::app
