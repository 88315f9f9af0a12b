#include "inspect/histories.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "history/frame_search.h"
#include "history/record_history.h"
#include "inspect/details.h"

namespace dp2trace::inspect {
namespace {

// Returns why there is no such pixel.
Result<std::string> WriteHistory(const HistoryRequest& request, const history::FrameSpan& span,
                                 const HistoryPixel& pixel, play::Feed& feed, DataSink& sink) {
  history::Options options;
  options.x = pixel.x;
  options.y = pixel.y;
  options.play = request.play;
  const Result<history::History> recorded = history::RecordHistory(options, span, feed);
  if (!recorded.ok()) return recorded.status();
  DP2TRACE_RETURN_IF_ERROR(sink.WritePacked(
      fmt::format("history/{}-{}-{}", span.frame, pixel.x, pixel.y), HistoryText(*recorded)));
  return recorded->absence;
}

}  // namespace

Result<std::string> WriteHistories(const HistoryRequest& request, play::Feed& feed,
                                   DataSink& sink) {
  if (request.pixels.empty()) return std::string();
  std::vector<std::string> absences(request.pixels.size());
  std::vector<bool> is_there(request.pixels.size());
  for (const uint64_t frame : request.frames) {
    const Result<history::FoundSpan> found =
        history::FindFrame(feed, frame, request.play.validation);
    if (!found.ok()) return found.status();
    for (size_t i = 0; i < request.pixels.size(); ++i) {
      Result<std::string> absence =
          WriteHistory(request, found->span, request.pixels[i], feed, sink);
      if (!absence.ok()) return absence.status();
      if (absence->empty()) is_there[i] = true;
      absences[i] = std::move(*absence);
    }
  }
  for (size_t i = 0; i < absences.size(); ++i)
    if (!is_there[i]) return absences[i];
  return std::string();
}

}  // namespace dp2trace::inspect
