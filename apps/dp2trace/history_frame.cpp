#include "history_frame.h"

#include <fmt/format.h>

#include <charconv>

#include "console.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// Reads the trace until the finder is done. Where it is not, on_absent() gets what reports how the reading went, and says what comes of it.
template <class Finder, class OnAbsent>
ExitCode RunFinder(const std::string& trace, uint64_t max_memory, const std::string& purpose,
                   Finder& finder, const OnAbsent& on_absent) {
  DiagnosticList reading;  // is reported by the replay
  ExitCode code = ExitCode::kOk;
  const auto source = trace_file::WithResults(OpenTrace(trace, max_memory, reading, code));
  if (source == nullptr) return code;
  const Status read = ForEachEvent(*source, purpose, [&](const trace::EventRecord& record) {
    finder.OnEvent(record.number, record.event);
    return !finder.is_done();
  });
  if (!read.ok()) return ReportFailure(trace, read);
  if (finder.is_done()) return ExitCode::kOk;
  return on_absent([&] { return ReportReading(trace, *source, reading); });
}

// Where the frame lies; `is_found` is false where no present ends it, and what it shows has to be found.
ExitCode FindPlace(const std::string& trace, uint64_t frame, uint64_t max_memory,
                   history::FrameSpan& span, bool& is_found) {
  history::FrameFinder finder(frame);
  const ExitCode code =
      RunFinder(trace, max_memory, "find the frame", finder, [&](const auto& report_reading) {
        return finder.may_be_unfinished()
                   ? ExitCode::kOk
                   : ReportAbsent("frame", frame, finder.presents(), report_reading());
      });
  span = finder.span();
  is_found = finder.is_done();
  return code;
}

// What an unfinished frame shows; `reading` is the code of the reader.
ExitCode SetTarget(const std::optional<play::DrawnTarget>& target, ExitCode reading,
                   history::FrameSpan& span) {
  if (!target) return ReportAbsent("frame", span.frame, span.frame - 1, reading);
  span.is_unfinished = true;
  span.space = target->space;
  span.handle = target->handle;
  return ExitCode::kOk;
}

}  // namespace

Argument& AddFrame(Verb& command, uint64_t& frame, const std::string& what) {
  const auto parse = [&frame](const std::string& word) -> std::string {
    if (word == "last") {
      frame = kLastFrame;
      return {};
    }
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, frame);
    const bool is_number = error == std::errc() && rest == end;
    if (is_number && frame != 0 && frame != kLastFrame) return {};
    return "'" + word + "' is not a frame; expected a number from 1, or last";
  };
  return command.AddParsed("--frame", parse, what).Value("N");
}

ExitCode ResolveFrame(const std::string& trace, uint64_t max_memory, uint64_t& frame) {
  if (frame != kLastFrame) return ExitCode::kOk;
  DiagnosticList reading;  // is reported by the replay
  ExitCode code = ExitCode::kOk;
  const auto source = OpenTrace(trace, max_memory, reading, code);
  if (source == nullptr) return code;
  const Result<info::Summary> summary = Summarize(*source, "find the last");
  if (!summary.ok()) return ReportFailure(trace, summary.status());
  frame = summary->FrameCount();
  if (frame != 0) return ExitCode::kOk;
  PrintError(RangeOf("frame", 0));
  return Absent(ReportReading(trace, *source, reading));
}

ExitCode FindFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                   const play::RunnerOptions& limits, history::FrameSpan& span) {
  bool is_found = false;
  ExitCode code = FindPlace(trace, frame, max_memory, span, is_found);
  if (code != ExitCode::kOk || is_found) return code;
  play::Player player({.validation = limits, .raster = {}}, {});
  Status status;  // without listeners nothing fails
  PlayTrace({trace, max_memory, "find the target", false}, player, status, code);
  return code != ExitCode::kOk ? code : SetTarget(player.drawn_target(), code, span);
}

ExitCode GuessFrame(const std::string& trace, uint64_t frame, uint64_t max_memory,
                    history::FrameSpan& span) {
  bool is_found = false;
  ExitCode code = FindPlace(trace, frame, max_memory, span, is_found);
  if (code != ExitCode::kOk || is_found) return code;
  DiagnosticList reading;  // is reported by the replay
  const auto source = trace_file::WithResults(OpenTrace(trace, max_memory, reading, code));
  if (source == nullptr) return code;
  history::TargetGuess guess(span.first);
  const Status read =
      ForEachEvent(*source, "find the target", [&](const trace::EventRecord& record) {
        guess.OnEvent(record.number, record.event);
        return true;
      });
  if (!read.ok()) return ReportFailure(trace, read);
  if (!guess.target()) code = ReportReading(trace, *source, reading);  // no replay follows
  return SetTarget(guess.target(), code, span);
}

Argument& AddRead(Verb& command, uint64_t& read, const std::string& what) {
  return command.Add("--read", read, what).Positive().Value("N");
}

ExitCode FindRead(const std::string& trace, uint64_t read, uint64_t max_memory,
                  history::FrameSpan& span) {
  history::ReadFinder finder(read);
  const ExitCode code =
      RunFinder(trace, max_memory, "find the read", finder, [&](const auto& report_reading) {
        return ReportAbsent("read", read, finder.reads(), report_reading());
      });
  if (code != ExitCode::kOk) return code;
  span = finder.span();
  if (span.handle != 0) return ExitCode::kOk;
  return UsageError(fmt::format(
      "read {} is of a buffer or of a box of a volume; expected one of a picture", read));
}

std::string TakePixel(const std::string& text, uint32_t& x, uint32_t& y) {
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, x);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == ',') {
    const auto second = std::from_chars(first.ptr + 1, end, y);
    if (second.ec == std::errc() && second.ptr == end) return {};
  }
  return "'" + text + "' is not a pixel; expected X,Y";
}

}  // namespace dp2trace::app
