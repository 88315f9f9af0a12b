#include "inspect_history.h"

#include <fmt/format.h>

#include "console.h"
#include "history/recorder.h"
#include "history_frame.h"
#include "inspect/details.h"
#include "work.h"

namespace dp2trace::app {
namespace {

ExitCode WriteHistory(const HistoryRequest& request, const history::FrameSpan& span,
                      const HistoryPixel& pixel, inspect::DataFolder& folder) {
  history::Options options;
  options.x = pixel.x;
  options.y = pixel.y;
  options.play = request.play;
  history::Recorder recorder(options, span);
  play::Player player(options.play, {&recorder});
  ExitCode code = ExitCode::kOk;
  Status status;
  if (!PlayTrace({request.trace, request.max_memory, "history", false}, player, status, code))
    return code;
  if (status.ok()) {
    status = folder.WritePacked(fmt::format("history/{}-{}-{}", span.frame, pixel.x, pixel.y),
                                inspect::HistoryText(recorder.Finish()));
  }
  return status.ok() ? ExitCode::kOk : ReportFailure(request.trace, status);
}

}  // namespace

ExitCode WriteHistories(const HistoryRequest& request, inspect::DataFolder& folder) {
  if (request.pixels.empty()) return ExitCode::kOk;
  for (const uint64_t frame : request.frames) {
    history::FrameSpan span;
    ExitCode code =
        FindFrame(request.trace, frame, request.max_memory, request.play.validation, span);
    if (code != ExitCode::kOk) return code;
    for (const HistoryPixel& pixel : request.pixels) {
      code = WriteHistory(request, span, pixel, folder);
      if (code != ExitCode::kOk) return code;
    }
  }
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
