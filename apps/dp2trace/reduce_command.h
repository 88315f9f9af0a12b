// dp2trace reduce: the smallest trace that still does something.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddReduceCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
