// What `blame` says of the picture that it was pointed at.
#pragma once

#include "blame_options.h"
#include "blame_search.h"
#include "exit_code.h"

namespace dp2trace::app {

// Plays the trace up to the picture, finds who is to blame, and prints it.
ExitCode Explain(const BlameVerb& options, const Suspect& suspect);

}  // namespace dp2trace::app
