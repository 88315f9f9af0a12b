#include "info_frames.h"

#include <memory>
#include <optional>
#include <vector>

#include "base/plain_text.h"
#include "console.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

// Nothing after a message.
std::optional<info::FrameOptions> ParseFrames(const InfoOptions& options, ExitCode& code) {
  std::string error;
  std::optional<Selection> frames = Selection::Parse(options.frames, error);
  if (!frames) {
    PrintError("--frames: " + error + "; see dp2trace info --help");
    code = ExitCode::kUsage;
    return std::nullopt;
  }
  code = ResolveLast(options.trace, options.max_memory, "info",
                     {.events = nullptr, .frames = &*frames, .draws = nullptr, .reads = nullptr});
  if (code != ExitCode::kOk) return std::nullopt;
  info::FrameOptions parsed = options.counter;
  parsed.frames = *frames;
  return parsed;
}

}  // namespace

ExitCode RunFrames(const InfoOptions& options) {
  ExitCode code = ExitCode::kOk;
  const std::optional<info::FrameOptions> frames = ParseFrames(options, code);
  if (!frames) return code;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(OpenTrace(options.trace, options.max_memory, findings, code));
  if (source == nullptr) return code;
  info::FrameCounter counter(*frames);
  std::vector<uint8_t> buffer;
  Status status;
  const Status read = ForEachEvent(*source, "info", [&](const trace::EventRecord& record) {
    status =
        counter.OnEvent(record.number, record.event, trace_file::PayloadOf(record, buffer).size());
    return status.ok() && (frames->frames.held_last() || !counter.is_done());
  });
  code = ReportReading(options.trace, *source, findings);
  if (!read.ok()) return code;
  if (!status.ok()) return Worse(code, ReportFailure(options.trace, status));
  counter.Finish();
  PrintFindings(options.trace, counter.limits());
  if (!counter.limits().empty()) code = Worse(code, ExitCode::kFindings);
  if (counter.frames().empty()) {
    PrintError("--frames chose nothing; " + RangeOf("frame", counter.frames_seen()));
    return Absent(code);
  }
  return Worse(
      code,
      ReportOutput(WriteResult(options.json ? info::FramesJson(options.trace, counter.frames())
                                            : info::FramesText(counter.frames()))));
}

}  // namespace dp2trace::app
