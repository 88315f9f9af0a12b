#include "work.h"

#include "console.h"
#include "progress.h"

namespace dp2trace::app {

std::unique_ptr<TraceSource> OpenTrace(const std::string& path, uint64_t max_memory, DiagnosticList& findings, ExitCode& code) {
  SourceError error;
  std::unique_ptr<TraceSource> source = TraceSource::Open(path, max_memory, findings, error);
  if (source == nullptr) {
    code = ReportFailure(path, error.status);
    if (error.is_usage) code = ExitCode::kUsage;
  }
  return source;
}

void ForEachEvent(TraceSource& source, const std::string& label, const std::function<bool(const trace::EventRecord&)>& visit) {
  Progress progress(label);
  trace::EventRecord record;
  while (source.Next(record)) {
    if (!visit(record)) return;
    progress.Update(source.position(), source.size());
  }
}

ExitCode ReportReading(const std::string& path, const TraceSource& source, const DiagnosticList& findings) {
  PrintFindings(path, findings);
  return source.is_incomplete() ? ExitCode::kInput : ExitCode::kOk;
}

text::Summary Summarize(TraceSource& source, const std::string& label) {
  text::Summarizer summarizer;
  ForEachEvent(source, label, [&summarizer](const trace::EventRecord& record) {
    summarizer.Add(record.number, record.event, record.payload.size());
    return true;
  });
  return summarizer.summary();
}

}  // namespace dp2trace::app
