// dp2trace diff: two traces side by side by what they mean.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddDiffCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
