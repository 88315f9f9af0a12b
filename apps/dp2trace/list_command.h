// dp2trace list: the tables of the program.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddListCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
