#include "history_frame.h"

#include <fmt/format.h>

#include <charconv>

#include "console.h"
#include "work.h"

namespace dp2trace::app {
namespace {

ExitCode ReportAbsence(uint64_t frame, uint64_t presents) {
  PrintError(fmt::format("frame {} is not in the trace, which has {}", frame, presents));
  return ExitCode::kNothingToDo;
}

}  // namespace

ExitCode FindFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                   const replay::RunnerOptions& limits, history::FrameSpan& span) {
  DiagnosticList reading;  // is reported by the replay
  ExitCode code = ExitCode::kOk;
  const auto source = trace_file::WithResults(OpenTrace(trace, max_memory, reading, code));
  if (source == nullptr) return code;
  history::FrameFinder finder(frame);
  ForEachEvent(*source, "find the frame", [&](const trace::EventRecord& record) {
    finder.OnEvent(record.number, record.event);
    return !finder.is_done();
  });
  span = finder.span();
  if (finder.is_done()) return ExitCode::kOk;
  if (!finder.may_be_unfinished()) return ReportAbsence(frame, finder.presents());
  // Behind the last present: what was drawn to last.
  const auto again = trace_file::WithResults(OpenTrace(trace, max_memory, reading, code));
  if (again == nullptr) return code;
  history::LastTargetFinder target(limits, span.first);
  ForEachEvent(*again, "find the target", [&](const trace::EventRecord& record) {
    return target.OnEvent(record.number, record.event).ok();
  });
  if (!target.target()) return ReportAbsence(frame, finder.presents());
  span.is_unfinished = true;
  span.space = target.target()->space;
  span.handle = target.target()->handle;
  return ExitCode::kOk;
}

bool ParsePixel(const std::string& text, uint32_t& x, uint32_t& y) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, x);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',') return false;
  const auto second = std::from_chars(first.ptr + 1, end, y);
  return second.ec == std::errc() && second.ptr == end;
}

}  // namespace dp2trace::app
