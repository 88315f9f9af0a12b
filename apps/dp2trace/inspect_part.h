// The part of a trace that a live page has.
#pragma once

#include <string>

#include "exit_code.h"
#include "inspect_options.h"

namespace dp2trace::app {

// Writes it to the path, as trim does. `about`: which part it is, as the page says it; empty, after a line that says why, where there is no such part.
ExitCode WritePartOfPage(const InspectOptions& options, const std::string& path,
                         std::string& about);

}  // namespace dp2trace::app
