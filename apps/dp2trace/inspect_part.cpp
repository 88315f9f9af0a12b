#include "inspect_part.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "console.h"
#include "os/path.h"
#include "trace_reading.h"
#include "trim_part.h"

namespace dp2trace::app {
namespace {

// "frames 3 to 5 of the 12 of quake.dp2t; its frame 3 and draw 7 are the first here"
std::string PartText(const trim::Part& part, bool has_draws, const info::Summary& whole,
                     const std::string& name) {
  const uint64_t last = part.first_frame + part.frames - 1;
  std::string text =
      has_draws ? fmt::format("{} from draw {} on, of the {}", Counted(part.draws, "draw"),
                              part.first_draw, whole.draws)
      : last == part.first_frame
          ? fmt::format("frame {} of the {}", last, whole.FrameCount())
          : fmt::format("frames {} to {} of the {}", part.first_frame, last, whole.FrameCount());
  text += " of " + name;
  if (part.is_from_start) return text;
  return text + (part.gap.empty()
                     ? fmt::format("; its frame {} and draw {} are the first here",
                                   part.first_frame, part.first_draw)
                     : fmt::format("; its frame {} is the first here, draws keep their numbers",
                                   part.first_frame));
}

}  // namespace

ExitCode WritePartOfPage(const InspectOptions& options, const std::string& path,
                         std::string& about) {
  const TrimOptions asked = {
      .input = options.trace,
      .output = {.path = path},
      .frames = options.inspect.frames,
      .draws = options.inspect.draws,
      .chooses_draws = options.draws->count() != 0,
      .drawing = {.raster = {},
                  .work = {.file_bytes = options.inspect.play.validation.file_bytes}}};
  trim::Part part;
  const ExitCode code = WriteChosenPart(asked, part);
  if (!part.is_found) return code;
  ExitCode opened = ExitCode::kOk;
  DiagnosticList findings;  // were reported
  const auto source = OpenTrace(asked.input, asked.max_memory, findings, opened);
  if (source == nullptr) return opened;
  const Result<info::Summary> whole = Summarize(*source, "count");
  if (!whole.ok()) return ReportFailure(asked.input, whole.status());
  about = PartText(part, asked.chooses_draws, *whole, NameOf(asked.input));
  DescribePart(part);
  return code;
}

}  // namespace dp2trace::app
