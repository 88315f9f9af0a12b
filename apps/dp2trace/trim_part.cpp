#include "trim_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/plain_text.h"
#include "console.h"
#include "reread_trace.h"
#include "trace_reading.h"
#include "trim/trim.h"

namespace dp2trace::app {

ExitCode WriteChosenPart(TrimOptions options, trim::Part& part) {
  if (options.input == "-") return UsageError("standard input can be read only once");
  const ExitCode resolved = ResolveLast(options.input, options.max_memory, "find the last",
                                        {.frames = &options.frames, .draws = &options.draws});
  if (resolved != ExitCode::kOk) return resolved;
  trim::Choice choice{.unit = options.chooses_draws ? trim::Unit::kDraws : trim::Unit::kFrames,
                      .numbers = options.chooses_draws ? options.draws : options.frames};
  if (options.read != 0) {
    history::FrameSpan span;
    const ExitCode found = FindSpan(options.input, options.max_memory, options.read, span);
    if (found != ExitCode::kOk) return found;
    std::string error;
    choice = {trim::Unit::kEvents,
              *Selection::Parse(fmt::format("{}-{}", std::max<uint64_t>(span.first, 1), span.last),
                                error)};
  }
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const auto source =
      trace_file::WithResults(OpenTrace(options.input, options.max_memory, findings, code));
  if (source == nullptr) return code;
  Result<trim::Part> found = trim::FindPart(*source, choice, options.drawing.work, ForEachEvent);
  code = ReportReading(options.input, *source, findings);
  if (!found.ok())
    return source->status().ok() ? Worse(code, ReportFailure(options.input, found.status())) : code;
  if (!found->is_found) {
    PrintError(options.chooses_draws
                   ? "--draws chose nothing that is executed; " + RangeOf("draw", found->draws)
                   : "--frames chose nothing; " + RangeOf("frame", found->frames));
    return Absent(code);
  }
  const trace_model::Open open = [&] {
    return trace_file::OpenAgain(options.input, options.max_memory, findings);
  };
  const Status written =
      trim::WritePart(open, *found, options.drawing, options.output.path, ForEachEvent);
  if (!written.ok()) return Worse(code, ReportFailure(options.output.path, written));
  part = std::move(*found);
  return code;
}

void DescribePart(const trim::Part& part) {
  if (part.is_from_start) return;
  if (part.gap.empty()) {
    PrintNote(fmt::format("frame {} and draw {} of the input are the first of the output",
                          part.first_frame, part.first_draw));
    return;
  }
  PrintNote(fmt::format(
      "everything before the part is kept, for {}; draws keep their numbers, frame {} is the first",
      part.gap, part.first_frame));
}

}  // namespace dp2trace::app
