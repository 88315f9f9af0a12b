// dp2trace convert: binary container <-> JSON.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddConvertCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
