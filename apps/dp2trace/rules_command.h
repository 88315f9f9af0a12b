// dp2trace rules: the table of rules.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddRulesCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
