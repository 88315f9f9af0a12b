// dp2trace lint: what is wrong with traces.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddLintCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
