#include "trace_reading.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/file_list.h"
#include "base/plain_text.h"
#include "console.h"
#include "os/files.h"
#include "os/path.h"
#include "os/process.h"
#include "progress.h"
#include "rules/rule.h"

namespace dp2trace::app {

trace_file::Inputs ExpandTraces(const std::vector<std::string>& names) {
  trace_file::Inputs inputs = trace_file::ExpandInputs(names);
  for (const std::string& name : inputs.unmatched)
    PrintNote(fmt::format("{} holds no traces", name));
  for (const std::string& note : inputs.passed_over)
    PrintNote(note);
  return inputs;
}

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

Status ForEachEvent(trace_file::Source& source, const std::string& label,
                    const std::function<bool(const trace::EventRecord&)>& visit) {
  Progress progress(label);
  trace::EventRecord record;
  while (source.Next(record) && visit(record))
    progress.Update(source.position(), source.size());
  return source.status();
}

ExitCode ReportReading(const std::string& path, const trace_file::Source& source,
                       const DiagnosticList& findings) {
  PrintFindings(path, findings);
  return source.is_incomplete() || !source.status().ok() ? ExitCode::kInput : ExitCode::kOk;
}

bool PlayTrace(const TraceToPlay& trace, play::Player& player, Status& status, ExitCode& code) {
  DiagnosticList reading;
  const auto source =
      trace_file::WithResults(OpenTrace(trace.path, trace.max_memory, reading, code));
  if (source == nullptr) return false;
  if (const play::Snapshot* const start = player.options().start; start != nullptr)
    source->SkipTo(start->next_event(), start->session());
  const Status read = ForEachEvent(*source, trace.label, [&](const trace::EventRecord& record) {
    status = player.OnEvent(record.number, record.event);
    return status.ok() && !player.is_done();
  });
  if (trace.reports_reading) {
    code = Worse(code, ReportReading(trace.path, *source, reading));
    if (const Status work = player.CheckWork(); !work.ok())
      code = Worse(code, ReportFailure(trace.path, work));
  } else if (!read.ok()) {
    code = Worse(code, ReportFailure(trace.path, read));
  }
  return read.ok();
}

EarlierOutput::EarlierOutput(const std::string& folder)
    : folder_(folder), files_(folder.empty() ? 0 : CountListed(folder)) {}

void EarlierOutput::Report() const {
  if (files_ == 0) return;
  PrintNote(
      fmt::format("{} of an earlier run removed from {}", Counted(files_, "file"), Plain(folder_)));
}

std::string NothingChosen(std::string_view option, std::string_view present) {
  return fmt::format("{} chose nothing that can be shown; {}", option, present);
}

ExitCode ReportAbsent(std::string_view noun, uint64_t number, uint64_t count, ExitCode reading) {
  PrintError(AbsenceOf(noun, number, count));
  return Absent(reading);
}

std::string FindDataFile(const std::string& name, const std::string& in_build) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::canonical(ToPath(ProgramPath()), error);
  if (error) return {};
  const std::string folder = ToText(program.parent_path()) + "/";
  for (const std::string& place : {name, "../share/dp2trace/" + name, in_build}) {
    if (LookAt(folder + place).kind == FileKind::kRegular)
      return ToText(ToPath(folder + place).lexically_normal());
  }
  return {};
}

Status WriteFile(const std::string& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(text));
  return file->Commit();
}

Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(ToPath(folder), error);
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
  info::Summarizer summarizer;
  const Status read = ForEachEvent(*source, label, [&](const trace::EventRecord& record) {
    summarizer.Add(record.number, record.event, 0);  // no size is asked for
    last_event = record.number;
    return true;
  });
  if (!read.ok()) return ReportFailure(path, read);
  const info::Summary& summary = summarizer.summary();
  const auto resolve = [](Selection* selection, uint64_t count, uint64_t last) {
    if (selection != nullptr) selection->Resolve(count == 0 ? std::nullopt : std::optional(last));
  };
  resolve(selections.events, summary.event_count, last_event);
  resolve(selections.frames, summary.FrameCount(), summary.FrameCount());
  resolve(selections.draws, summary.draws, summary.draws);
  resolve(selections.reads, summary.reads, summary.reads);
  return ExitCode::kOk;
}

Result<info::Summary> Summarize(trace_file::Source& source, const std::string& label) {
  info::Summarizer summarizer;
  std::vector<uint8_t> buffer;
  DP2TRACE_RETURN_IF_ERROR(ForEachEvent(source, label, [&](const trace::EventRecord& record) {
    summarizer.Add(record.number, record.event, trace_file::PayloadOf(record, buffer).size());
    return true;
  }));
  return summarizer.summary();
}

}  // namespace dp2trace::app
