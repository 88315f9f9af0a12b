#include "history_run.h"

#include <optional>

#include "console.h"
#include "history_frame.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// Null where the trace cannot be replayed: `code` says why.
std::unique_ptr<history::Recorder> Record(const HistoryOptions& options,
                                          const history::FrameSpan& span, ExitCode& code) {
  DiagnosticList reading;
  code = ExitCode::kOk;
  const auto source =
      trace_file::WithResults(OpenTrace(options.trace, options.max_memory, reading, code));
  if (source == nullptr) return nullptr;
  auto recorder = std::make_unique<history::Recorder>(options.history, span);
  Status status;
  ForEachEvent(*source, "history", [&](const trace::EventRecord& record) {
    status = recorder->OnEvent(record.number, record.event);
    return status.ok() && !recorder->is_done();
  });
  code = ReportReading(options.trace, *source, reading);
  if (status.ok()) return recorder;
  code = Worse(code, ReportFailure(options.trace, status));
  return nullptr;
}

}  // namespace

std::unique_ptr<history::Recorder> RecordFrame(const HistoryOptions& options, ExitCode& code) {
  history::FrameSpan span;
  code = GuessFrame(options.trace, options.frame, options.max_memory, span);
  if (code != ExitCode::kOk) return nullptr;
  auto recorder = Record(options, span, code);
  if (recorder == nullptr || !span.is_unfinished) return recorder;
  const std::optional<history::DrawnTarget> shown = recorder->drawn_target();
  if (!shown) {
    code = Worse(code, ReportAbsence(span.frame, span.frame - 1));
    return nullptr;
  }
  if (shown == history::DrawnTarget{span.space, span.handle}) return recorder;
  // The guess was wrong: now it is known.
  span.space = shown->space;
  span.handle = shown->handle;
  return Record(options, span, code);
}

}  // namespace dp2trace::app
