// The verb `golden`: keeps the pictures of a set of traces as they are. One file per subcommand, golden_NAME.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

void AddGoldenCommand(CLI::App& app, ExitCode& code);

// Its subcommands.
void AddGoldenCheck(CLI::App& golden, ExitCode& code);
void AddGoldenAccept(CLI::App& golden, ExitCode& code);
void AddGoldenReport(CLI::App& golden, ExitCode& code);
void AddGoldenMerge(CLI::App& golden, ExitCode& code);
void AddGoldenGc(CLI::App& golden, ExitCode& code);

}  // namespace dp2trace::app
