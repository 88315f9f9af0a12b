// dp2trace import: a capture of API calls -> the trace that a driver would have seen.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddImportCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
