// dp2trace verify TRACE: is the recording sound, and did the driver draw what the replay draws?
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddVerifyCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
