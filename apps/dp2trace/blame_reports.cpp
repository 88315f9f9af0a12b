#include "blame_reports.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "blame/explain.h"
#include "blame/report.h"
#include "console.h"
#include "json/output.h"

namespace dp2trace::app {
namespace {

using blame::SearchEnd;

ExitCode ReportEqual(const BlameOptions& options, const SearchEnd& end) {
  return ReportOutput(WriteResult(
      options.json
          ? json::OutputHead("blame", options.trace) +
                fmt::format(",\"equal\":true,\"search\":{{\"pictures\":{}}}}}\n", end.pictures)
          : fmt::format("equal: {}\n", end.message)));
}

ExitCode Complain(ExitCode code, std::string_view message) {
  PrintError(message);
  return code;
}

}  // namespace

ExitCode ReportEnd(const BlameOptions& options, const SearchEnd& end, RereadTrace& trace) {
  switch (end.kind) {
    case SearchEnd::Kind::kEqual:
      return ReportEqual(options, end);
    case SearchEnd::Kind::kNothing:
      return Complain(ExitCode::kNothingToDo, end.message);
    case SearchEnd::Kind::kNotListed:
      return Complain(ExitCode::kInput, end.message);
    case SearchEnd::Kind::kAbsent:
      return trace.ReportAbsent(end.absent);
    case SearchEnd::Kind::kCommandFailed:
      return trace.Fail("--run", end.status);
    case SearchEnd::Kind::kFailed:
    case SearchEnd::Kind::kSuspect:
      break;
  }
  return trace.Fail(end.file.empty() ? options.trace : end.file, end.status);
}

ExitCode ReportBlame(const BlameOptions& options, const blame::Suspect& suspect,
                     RereadTrace& trace) {
  trace.Report(RereadTrace::Reports::kNext);
  const Result<blame::Explanation> found = blame::Explain(options.search, suspect, trace);
  if (!found.ok()) return trace.Fail(found.status());
  if (!found->frame.absence.empty()) {
    PrintError(found->frame.absence);
    return Absent(trace.code());
  }
  if (!found->likeness.ok()) return trace.Fail(options.search.against, found->likeness.status());
  if (*found->likeness == blame::Likeness::kNotCompared) {
    return Worse(trace.code(),
                 Complain(ExitCode::kNothingToDo,
                          "nothing was compared: the region is outside of the picture"));
  }
  const std::string report =
      options.json ? blame::ReportJson(options.trace, found->frame, found->blame, suspect.search)
                   : blame::ReportText(found->frame, found->blame, suspect.search);
  const ExitCode written = ReportOutput(WriteResult(report));
  const bool differs = *found->likeness == blame::Likeness::kDifferent;
  return Worse(Worse(trace.code(), written), differs ? ExitCode::kFindings : ExitCode::kOk);
}

}  // namespace dp2trace::app
