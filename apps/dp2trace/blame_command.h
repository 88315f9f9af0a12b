// dp2trace blame: which draws, and what they have in common, make a picture of a driver wrong.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddBlameCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
