// dp2trace scrub: a trace without the pictures and meshes of its program.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddScrubCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
