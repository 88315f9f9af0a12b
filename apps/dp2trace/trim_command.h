// dp2trace trim: a part of a trace as a trace of its own.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddTrimCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
