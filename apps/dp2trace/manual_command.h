#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// A verb that the help does not show: writes manual pages and completions below a folder, as an installation has them below `share`.
void AddManualCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
