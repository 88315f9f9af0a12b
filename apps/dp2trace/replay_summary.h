// What `replay` says at its end.
#pragma once

#include <string>

#include "exit_code.h"
#include "replay/report_json.h"
#include "replay_options.h"

namespace dp2trace::app {

// kUsage, after a line for each, where frames, reads or draws that are asked for are not in the trace: known without drawing. What cannot be
// read, or only once, may have them.
ExitCode CheckChosen(const ReplayOptions& options);
// Takes away what an earlier replay left in the folder, with a note.
Status MakeRoom(const ReplayOptions& options);
// What the report calls the trace: a device, such as a terminal, has a number for a name, and is called by its path.
std::string NameInReport(const std::string& trace);
// The output folder and what was done, for people; then the selections by which no picture was made: kUsage.
ExitCode PrintSummary(const ReplayOptions& options, const replay::Report& report);

}  // namespace dp2trace::app
