// What every verb that reads a trace does around its own work: open, walk with a progress bar, report what the reader found.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/selection.h"
#include "exit_code.h"
#include "info/summary.h"
#include "play/player.h"
#include "trace_file/inputs.h"
#include "trace_file/source.h"

namespace dp2trace::app {

// The traces that the names of a command line stand for. Prints which of them stand for none, and what could not be looked at.
trace_file::Inputs ExpandTraces(const std::vector<std::string>& names);

// Opens a trace, or prints why that cannot be done and sets `code`.
std::unique_ptr<trace_file::Source> OpenTrace(const std::string& path, uint64_t max_memory,
                                              DiagnosticList& findings, ExitCode& code);

// Calls `visit` for every event, in order, until it returns false. Returns the source's status: no output is made of what could not be
// read (trace_file::Source::status()).
Status ForEachEvent(trace_file::Source& source, const std::string& label,
                    const std::function<bool(const trace::EventRecord&)>& visit);

// Prints the reader's findings, a failed status among them; kInput where not every event could be read.
ExitCode ReportReading(const std::string& path, const trace_file::Source& source,
                       const DiagnosticList& findings);

// A trace to play.
struct TraceToPlay {
  const std::string& path;
  uint64_t max_memory = 0;
  std::string label;            // of the progress bar
  bool reports_reading = true;  // false: what the reader finds is reported elsewhere
};
// Opens the trace and plays it, from where the player starts, until its listeners are done or one fails: `status`. False, and `code` set after a line that says why, where
// it cannot be opened or read.
bool PlayTrace(const TraceToPlay& trace, play::Player& player, Status& status, ExitCode& code);

// What an earlier run left in the folder of an output that takes the place of all of it.
class EarlierOutput {
 public:
  explicit EarlierOutput(const std::string& folder);
  // Once the output is there: says how many files are gone.
  void Report() const;

 private:
  std::string folder_;
  uint64_t files_ = 0;
};

// "--frames chose nothing that can be shown; the trace has frames 1 to 3": `present` is what there is.
std::string NothingChosen(std::string_view option, std::string_view present);
// Prints that the trace lacks the one that the command line names, with those that it has: "there is no frame 9; the trace has frames 1 to 3".
// The code of `Absent`.
ExitCode ReportAbsent(std::string_view noun, uint64_t number, uint64_t count, ExitCode reading);

// A file that comes with the program: beside it, in share/dp2trace of its installation, or where its build has it, from the folder of the
// program. Empty: it is in none of them.
std::string FindDataFile(const std::string& name, const std::string& in_build);

// Writes a file that appears whole or not at all.
Status WriteFile(const std::string& path, std::string_view text);
// The folder exists afterwards, or IO-001.
Status MakeFolder(const std::string& folder);

// True where findings are at or above the severity; never for none.
bool HasFailed(const std::optional<Severity>& fail_on, const DiagnosticList& findings);

// The selections of a verb in which the user may have written `last`; null where the verb lacks one.
struct LastSelections {
  Selection* events = nullptr;
  Selection* frames = nullptr;
  Selection* draws = nullptr;
  Selection* reads = nullptr;
};
// Tells the selections what `last` is. That is known only at the end of a trace, which is then read twice: a usage error for standard
// input. Reads nothing where no selection asks.
ExitCode ResolveLast(const std::string& path, uint64_t max_memory, const std::string& label,
                     const LastSelections& selections);

// Counts what is in the trace.
Result<info::Summary> Summarize(trace_file::Source& source, const std::string& label);

}  // namespace dp2trace::app
