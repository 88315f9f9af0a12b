#include "reread_trace.h"

#include "console.h"
#include "rules/rule.h"
#include "trace_reading.h"

namespace dp2trace::app {

Status RereadTrace::Read(const std::string& purpose,
                         const std::function<bool(const trace::EventRecord&)>& visit) {
  source_.reset();
  reading_ = DiagnosticList();
  source_ = trace_file::WithResults(OpenTrace(path_, max_memory_, reading_, code_));
  Status read = source_ == nullptr ? Failure(Rule::kIo002, "the trace cannot be opened")
                                   : ForEachEvent(*source_, purpose, visit);
  is_readable_ = read.ok();
  if (source_ != nullptr && !read.ok()) code_ = Worse(code_, ReportFailure(path_, read));
  return read;
}

Status RereadTrace::Play(const std::string& purpose, play::Player& player) {
  Status status;
  ExitCode code = ExitCode::kOk;
  const bool reports = reports_ != Reports::kNone;
  is_readable_ = PlayTrace({path_, max_memory_, purpose, reports}, player, status, code);
  code_ = Worse(code_, code);
  if (reports_ == Reports::kNext) reports_ = Reports::kNone;
  return is_readable_ ? status : Failure(Rule::kIo002, "the trace cannot be read");
}

ExitCode RereadTrace::Fail(std::string_view file, const Status& status) {
  if (is_readable_) code_ = Worse(code_, ReportFailure(file, status));
  return code_;
}

ExitCode RereadTrace::ReportAbsent(const history::FoundSpan& found) {
  if (found.may_be_unread) code_ = Worse(code_, ReportReading(path_, *source_, reading_));
  PrintError(found.absence);
  return Absent(code_);
}

ExitCode FindSpan(const std::string& path, uint64_t max_memory, uint64_t read,
                  history::FrameSpan& span) {
  RereadTrace trace(path, max_memory);
  const Result<history::FoundSpan> found = history::FindRead(trace, read);
  if (!found.ok()) return trace.Fail(found.status());
  if (!found->absence.empty()) return trace.ReportAbsent(*found);
  span = found->span;
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
