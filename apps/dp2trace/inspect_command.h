// dp2trace inspect
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddInspectCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
