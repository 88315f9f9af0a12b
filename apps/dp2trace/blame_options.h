// What `blame` is asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "image/loose_compare.h"
#include "options.h"
#include "raster/renderer.h"
#include "replay/runner.h"

namespace dp2trace::app {

struct BlameVerb {
  std::string trace;
  uint64_t frame = 0;     // 0: not given
  std::string against;    // picture or folder; empty: `run`
  std::string run;        // command that makes pictures
  uint32_t timeout = 60;  // seconds, of one run
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  image::LooseOptions loose;
  replay::RunnerOptions validation;
  raster::Options raster;
};

void AddBlameOptions(CLI::App& command, BlameVerb& options);

}  // namespace dp2trace::app
