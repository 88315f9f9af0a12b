// dp2trace explain: what a rule means, why, how to mend it, and a trace of each kind.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddExplainCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
