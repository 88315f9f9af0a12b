#include "work.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "console.h"
#include "progress.h"
#include "rules/rule.h"

namespace dp2trace::app {

std::unique_ptr<trace_file::Source> OpenTrace(const std::string& path, uint64_t max_memory,
                                              DiagnosticList& findings, ExitCode& code) {
  trace_file::OpenError error;
  std::unique_ptr<trace_file::Source> source =
      trace_file::Source::Open(path, max_memory, findings, error);
  if (source == nullptr) {
    code = ReportFailure(path, error.status);
    if (error.is_usage) code = ExitCode::kUsage;
  }
  return source;
}

void ForEachEvent(trace_file::Source& source, const std::string& label,
                  const std::function<bool(const trace::EventRecord&)>& visit) {
  Progress progress(label);
  trace::EventRecord record;
  while (source.Next(record)) {
    if (!visit(record)) return;
    progress.Update(source.position(), source.size());
  }
}

ExitCode ReportReading(const std::string& path, const trace_file::Source& source,
                       const DiagnosticList& findings) {
  PrintFindings(path, findings);
  return source.is_incomplete() ? ExitCode::kInput : ExitCode::kOk;
}

Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return OkStatus();
  return Status(MakeDiagnostic(
      Rule::kIo001, fmt::format("cannot make the folder {}: {}", folder, error.message())));
}

bool HasFailed(const std::optional<Severity>& fail_on, const DiagnosticList& findings) {
  if (!fail_on) return false;
  uint64_t count = 0;
  for (auto i = static_cast<size_t>(*fail_on); i < kSeverityCount; ++i)
    count += findings.count(static_cast<Severity>(i));
  return count != 0;
}

ExitCode ResolveLast(const std::string& path, uint64_t max_memory, const std::string& label,
                     const LastSelections& selections) {
  const auto asks = [](const Selection* selection) {
    return selection != nullptr && selection->needs_last();
  };
  if (!asks(selections.events) && !asks(selections.frames) && !asks(selections.draws) &&
      !asks(selections.reads))
    return ExitCode::kOk;
  if (path == "-") {
    return UsageError("'last' needs a file: standard input can be read only once");
  }
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;  // reported when the trace is read again
  const std::unique_ptr<trace_file::Source> source = OpenTrace(path, max_memory, findings, code);
  if (source == nullptr) return code;
  uint64_t last_event = 0;  // not the number of events: damage leaves gaps
  text::Summarizer summarizer;
  ForEachEvent(*source, label, [&](const trace::EventRecord& record) {
    summarizer.Add(record.number, record.event, 0);  // no size is asked for
    last_event = record.number;
    return true;
  });
  const text::Summary& summary = summarizer.summary();
  const auto resolve = [](Selection* selection, uint64_t count, uint64_t last) {
    if (selection != nullptr) selection->Resolve(count == 0 ? std::nullopt : std::optional(last));
  };
  resolve(selections.events, summary.event_count, last_event);
  resolve(selections.frames, summary.FrameCount(), summary.FrameCount());
  resolve(selections.draws, summary.draws, summary.draws);
  resolve(selections.reads, summary.reads, summary.reads);
  return ExitCode::kOk;
}

text::Summary Summarize(trace_file::Source& source, const std::string& label) {
  text::Summarizer summarizer;
  std::vector<uint8_t> buffer;
  ForEachEvent(source, label, [&](const trace::EventRecord& record) {
    summarizer.Add(record.number, record.event, trace_file::PayloadOf(record, buffer).size());
    return true;
  });
  return summarizer.summary();
}

}  // namespace dp2trace::app
