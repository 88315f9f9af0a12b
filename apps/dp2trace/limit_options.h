// What a replay may cost: the options of every verb that draws a trace of anybody's making.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "raster/renderer.h"
#include "replay/runner.h"

namespace dp2trace::app {

// What a trace may cost without options: the size of the file that `trace` names once the command line is read; standard input has none.
void BoundByFile(CLI::App& command, const std::string& trace, std::optional<uint64_t>& bytes);

// --max-steps
void AddMaxSteps(CLI::App& command, std::optional<uint64_t>& steps);
// The same, otherwise bounded by the file.
void AddMaxSteps(CLI::App& command, const std::string& trace, replay::RunnerOptions& validation);

// --max-surface-extent, --max-surface-memory, --max-primitives, --max-draw-steps, --max-patch-segments, --max-steps
void AddLimitOptions(CLI::App& command, const std::string& trace, replay::RunnerOptions& validation,
                     raster::Options& raster);

}  // namespace dp2trace::app
