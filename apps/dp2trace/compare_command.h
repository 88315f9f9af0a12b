// dp2trace compare: two pictures, or two folders of pictures, pixel by pixel.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_code.h"

namespace dp2trace::app {

// Adds the verb; running it sets `code`.
void AddCompareCommand(CLI::App& app, ExitCode& code);

}  // namespace dp2trace::app
