// dp2trace bench: plays the frames of traces again and again, and says how fast.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddBenchCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
