// dp2trace coverage
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddCoverageCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
