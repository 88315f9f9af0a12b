// dp2trace import-hex IN OUT: hex dumps out of a debug log become a trace.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddImportHexCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
