// What a replay may cost: the options of every verb that draws a trace of anybody's making.
#pragma once

#include <CLI/CLI.hpp>

#include "raster/renderer.h"
#include "replay/runner.h"

namespace dp2trace::app {

// --max-surface-extent, --max-surface-memory, --max-primitives, --max-draw-steps, --max-patch-segments
void AddLimitOptions(CLI::App& command, replay::RunnerOptions& validation, raster::Options& raster);

}  // namespace dp2trace::app
