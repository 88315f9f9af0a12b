#include "frame_options.h"

#include <charconv>

#include "base/plain_text.h"
#include "console.h"
#include "trace_reading.h"

namespace dp2trace::app {
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

Argument& AddRead(Verb& command, uint64_t& read, const std::string& what) {
  return command.Add("--read", read, what).Positive().Value("N");
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
