#include "verify_reports.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/plain_text.h"
#include "console.h"
#include "json/output.h"
#include "trace_reading.h"

namespace dp2trace::app {

Status VerifyReports::Add(verify::VerifyResult result) {
  if (result.error) {
    const ExitCode failure = ReportFailure(result.report.trace, result.error->status);
    code_ = Worse(code_, result.error->is_usage ? ExitCode::kUsage : failure);
    ++unread_;
  } else {
    DP2TRACE_RETURN_IF_ERROR(Print(result));
    if (!result.pictures.ok())
      code_ = Worse(code_, ReportFailure(result.report.trace, result.pictures));
  }
  DiagnosticList joined(postprocessor_.Limits());
  for (Diagnostic& finding : result.findings.Take())
    joined.Add(std::move(finding));
  return outputs_.Add(postprocessor_.Take({.file = result.report.trace,
                                           .findings = std::move(joined),
                                           .error = result.error,
                                           .is_incomplete = !result.report.is_complete}));
}

Status VerifyReports::Finish() {
  if (options_.json) {
    DP2TRACE_RETURN_IF_ERROR(WriteResult(printed_ == 0 ? Start() + "]}\n" : "\n]}\n"));
  } else if (traces_ != 1) {
    DP2TRACE_RETURN_IF_ERROR(
        WriteResult(fmt::format("{}: {} sound, {} with findings, {} not read\n",
                                Counted(traces_, "trace"), sound_, printed_ - sound_, unread_)));
  }
  lint::Outcome outcome = postprocessor_.outcome();
  outcome.exit_code = static_cast<int>(code_);
  return outputs_.Finish(outcome);
}

std::string VerifyReports::Start() {
  return json::OutputHead("verify") + ",\"traces\":[\n";
}

Status VerifyReports::Print(const verify::VerifyResult& result) {
  if (!result.report.is_complete) code_ = Worse(code_, ExitCode::kInput);
  if (HasFailed(options_.fail_on, result.findings)) code_ = Worse(code_, ExitCode::kFindings);
  if (result.findings.empty()) ++sound_;
  const bool is_first = printed_++ == 0;
  if (!options_.json) return WriteResult(verify::ReportText(result.report, result.findings));
  return WriteResult((is_first ? Start() : ",\n") +
                     verify::ReportJson(result.report, result.findings));
}

}  // namespace dp2trace::app
