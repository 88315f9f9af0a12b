// dp2trace state
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddStateCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
