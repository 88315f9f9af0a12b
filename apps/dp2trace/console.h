// Standard output and standard error: results go to the one, talk to the other.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "base/status.h"
#include "exit_code.h"

namespace dp2trace::app {

// Writes a piece of the result to standard output.
Status WriteResult(std::string_view text);
// Flushes standard output: what the system did not take is an error here at the latest.
Status FinishResult();

// How a JSON result gets the errors that are reported while it is made.
enum class JsonErrors {
  kInserted,  // at its end by EndJson()
  kOwn        // the verb writes them
};
// From here on the result is JSON, one object with the head of `schema` (json/output.h). Errors that go to standard error are in it, too:
// as its member "errors"; where there is no result, the object has only a head and "errors".
void ExpectJson(std::string_view schema, JsonErrors errors = JsonErrors::kInserted);
// Ends what ExpectJson() began.
Status EndJson();

// Whether text on standard output has colours: "always", "never", or "auto": a terminal, and NO_COLOR is not set (no-color.org).
bool UsesColor(std::string_view choice);

// One line on standard error: "dp2trace: error: message".
void PrintError(std::string_view message);
// The same; kUsage.
ExitCode UsageError(std::string_view message);
// The name of an output file says no form of a trace.
ExitCode UnknownForm(std::string_view path);
// One line on standard error: "dp2trace: note: message".
void PrintNote(std::string_view message);
// Findings about `file`, one line each.
void PrintFinding(std::string_view file, const Diagnostic& finding);
void PrintFindings(std::string_view file, const DiagnosticList& findings);
// Prints why an operation on `file` failed; kInput.
ExitCode ReportFailure(std::string_view file, const Status& status);
// kOk, or kInput after a line that says why.
ExitCode ReportOutput(const Status& status);

}  // namespace dp2trace::app
