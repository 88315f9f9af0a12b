// `inspect --live`: the page that can show any frame by itself, as one file.
#pragma once

#include "exit_code.h"
#include "inspect_options.h"

namespace dp2trace::app {

ExitCode WriteLivePage(const InspectOptions& options);

}  // namespace dp2trace::app
