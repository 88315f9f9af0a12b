// What `replay` says at its end.
#pragma once

#include "exit_code.h"
#include "replay/report_json.h"
#include "replay_options.h"

namespace dp2trace::app {

// Takes away what an earlier replay left in the folder, with a note.
Status MakeRoom(const ReplayVerb& options);
// The output folder and what was done, for people; then the selections by which no picture was made: kUsage.
ExitCode PrintSummary(const ReplayVerb& options, const replay::Report& report);

}  // namespace dp2trace::app
