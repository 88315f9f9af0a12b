// dp2trace info: what is in a trace.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddInfoCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
