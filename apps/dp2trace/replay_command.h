// dp2trace replay: executes a trace and writes pictures and a report.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddReplayCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
