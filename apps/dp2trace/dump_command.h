// dp2trace dump: a trace as lines of text.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddDumpCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
