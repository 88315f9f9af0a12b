#include "history_frame.h"

#include <fmt/format.h>

#include <charconv>

#include "console.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// Shows every event to `search`, which says what was drawn to last.
template <class Search>
ExitCode FindTarget(const std::string& trace, uint64_t max_memory, Search& search,
                    history::FrameSpan& span) {
  DiagnosticList reading;
  ExitCode code = ExitCode::kOk;
  const auto source = trace_file::WithResults(OpenTrace(trace, max_memory, reading, code));
  if (source == nullptr) return code;
  ForEachEvent(*source, "find the target", [&](const trace::EventRecord& record) {
    return search.OnEvent(record.number, record.event).ok();
  });
  if (!search.target()) return ReportAbsence(span.frame, span.frame - 1);
  span.is_unfinished = true;
  span.space = search.target()->space;
  span.handle = search.target()->handle;
  return ExitCode::kOk;
}

// Where the frame lies; `is_found` is false where no present ends it, and what it shows has to be found.
ExitCode FindPlace(const std::string& trace, uint64_t frame, uint64_t max_memory,
                   history::FrameSpan& span, bool& is_found) {
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
  is_found = finder.is_done();
  const bool is_there = is_found || finder.may_be_unfinished();
  return is_there ? ExitCode::kOk : ReportAbsence(frame, finder.presents());
}

}  // namespace

CLI::Option* AddFrame(CLI::App& command, uint64_t& frame, const std::string& what) {
  const auto parse = [&frame](const std::string& word) {
    if (word == "last") {
      frame = kLastFrame;
      return;
    }
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, frame);
    if (error != std::errc() || rest != end || frame == 0 || frame == kLastFrame) {
      throw CLI::ValidationError("--frame",
                                 "'" + word + "' is no frame; expected a number from 1, or last");
    }
  };
  return command.add_option_function<std::string>("--frame", parse, what)->type_name("N");
}

ExitCode ResolveFrame(const std::string& trace, uint64_t max_memory, uint64_t& frame) {
  if (frame != kLastFrame) return ExitCode::kOk;
  DiagnosticList reading;  // is reported by the replay
  ExitCode code = ExitCode::kOk;
  const auto source = OpenTrace(trace, max_memory, reading, code);
  if (source == nullptr) return code;
  frame = Summarize(*source, "find the last").FrameCount();
  if (frame != 0) return ExitCode::kOk;
  PrintError("there is no frame in the trace");
  return ExitCode::kNothingToDo;
}

ExitCode ReportAbsence(uint64_t frame, uint64_t presents) {
  PrintError(
      fmt::format("frame {} is not in the trace; frames that a present ends: {}", frame, presents));
  return ExitCode::kNothingToDo;
}

ExitCode FindFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                   const replay::RunnerOptions& limits, history::FrameSpan& span) {
  bool is_found = false;
  const ExitCode code = FindPlace(trace, frame, max_memory, span, is_found);
  if (code != ExitCode::kOk || is_found) return code;
  history::LastTargetFinder target(limits, span.first);
  return FindTarget(trace, max_memory, target, span);
}

ExitCode GuessFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                    history::FrameSpan& span) {
  bool is_found = false;
  const ExitCode code = FindPlace(trace, frame, max_memory, span, is_found);
  if (code != ExitCode::kOk || is_found) return code;
  history::TargetGuess target(span.first);
  return FindTarget(trace, max_memory, target, span);
}

bool ParsePixel(const std::string& text, uint32_t& x, uint32_t& y) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, x);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',') return false;
  const auto second = std::from_chars(first.ptr + 1, end, y);
  return second.ec == std::errc() && second.ptr == end;
}

}  // namespace dp2trace::app
