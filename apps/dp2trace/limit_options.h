// What a replay may cost: the options of every verb that draws a trace of anybody's making.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arguments.h"
#include "play/runner.h"
#include "raster/renderer.h"
#include "trace_model/render_options.h"

namespace dp2trace::app {

// What a trace may cost without options: the size of the file that `trace` names once the command line is read; standard input has none.
void BoundByFile(Verb& command, const std::string& trace, std::optional<uint64_t>& bytes);

// --max-steps
void AddMaxSteps(Verb& command, std::optional<uint64_t>& steps);
// The same, otherwise bounded by the file.
void AddMaxSteps(Verb& command, const std::string& trace, play::RunnerOptions& validation);
void AddMaxSteps(Verb& command, const std::string& trace, trace_model::WorkBounds& bounds);

// --max-surface-memory
void AddMaxSurfaceMemory(Verb& command, std::optional<uint64_t>& bytes);

// --max-surface-extent, --max-surface-memory, --max-primitives, --max-draw-steps, --max-patch-segments, --max-steps
void AddLimitOptions(Verb& command, const std::string& trace, play::RunnerOptions& validation,
                     raster::Options& raster);

// --max-memory and --max-steps of the verbs that import.
void AddImportLimits(Verb& command, uint64_t& max_memory, std::optional<uint64_t>& max_steps);

}  // namespace dp2trace::app
