// What `blame` says of the picture that it was pointed at.
#pragma once

#include "blame/search.h"
#include "blame_options.h"
#include "exit_code.h"
#include "reread_trace.h"

namespace dp2trace::app {

// Of a search that has no suspect.
ExitCode ReportEnd(const BlameOptions& options, const blame::SearchEnd& end, RereadTrace& trace);
// Finds who is to blame, and prints it.
ExitCode ReportBlame(const BlameOptions& options, const blame::Suspect& suspect,
                     RereadTrace& trace);

}  // namespace dp2trace::app
