#include "inspect/histories.h"

#include <fmt/format.h>

#include "history/frame_search.h"
#include "history/record_history.h"
#include "inspect/details.h"

namespace dp2trace::inspect {
namespace {

Status WriteHistory(const HistoryRequest& request, const history::FrameSpan& span,
                    const HistoryPixel& pixel, play::Feed& feed, DataSink& sink) {
  history::Options options;
  options.x = pixel.x;
  options.y = pixel.y;
  options.play = request.play;
  const Result<history::History> recorded = history::RecordHistory(options, span, feed);
  if (!recorded.ok()) return recorded.status();
  return sink.WritePacked(fmt::format("history/{}-{}-{}", span.frame, pixel.x, pixel.y),
                          HistoryText(*recorded));
}

}  // namespace

Status WriteHistories(const HistoryRequest& request, play::Feed& feed, DataSink& sink) {
  if (request.pixels.empty()) return OkStatus();
  for (const uint64_t frame : request.frames) {
    const Result<history::FoundSpan> found =
        history::FindFrame(feed, frame, request.play.validation);
    if (!found.ok()) return found.status();
    for (const HistoryPixel& pixel : request.pixels)
      DP2TRACE_RETURN_IF_ERROR(WriteHistory(request, found->span, pixel, feed, sink));
  }
  return OkStatus();
}

}  // namespace dp2trace::inspect
