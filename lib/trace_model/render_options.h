// How frames are drawn where an edit depends on what they show, and what the work on a trace may cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "raster/renderer.h"

namespace dp2trace::trace_model {

// Of one pass over the trace, as play::RunnerOptions has them.
struct WorkBounds {
  std::optional<uint64_t> max_steps = {};
  std::optional<uint64_t> file_bytes = {};
};

struct RenderOptions {
  std::string renderer = {};  // a row of play::Renderers(); empty: the first
  raster::Options raster;
  WorkBounds work = {};
};

}  // namespace dp2trace::trace_model
