#include "blame/explain.h"

#include <utility>

#include "blame/changes.h"
#include "blame/follow.h"
#include "blame/levels.h"
#include "history/frame_search.h"

namespace dp2trace::blame {
namespace {

// What takes the trace another time.
Status LookCloser(const SearchOptions& options, const Suspect& suspect, const Frame& frame,
                  play::Feed& feed, Blame& found) {
  if (found.wrong_draws.empty()) return OkStatus();
  if (suspect.search.last_right_frame != 0) {
    const Result<history::FoundSpan> span =
        history::FindFrame(feed, suspect.search.last_right_frame, options.play.validation);
    if (span.ok() && span->absence.empty()) {
      const Result<Frame> right =
          RecordFrame({.play = options.play, .keeps_content = true}, span->span, feed);
      if (!right.ok()) return right.status();
      found.changes = FindChanges(*right, frame, found.wrong_draws);
    }
  }
  Result<std::optional<BlamedLevel>> level = FindLevel(
      frame, found, suspect.picture, options.tolerance.loose, suspect.span, options.play, feed);
  if (!level.ok()) return level.status();
  found.level = *level;
  return OkStatus();
}

}  // namespace

Result<Explanation> Explain(const SearchOptions& options, const Suspect& suspect,
                            play::Feed& feed) {
  Result<Frame> frame = RecordFrame({.last_draw = suspect.draw,
                                     .play = options.play,
                                     .keeps_content = suspect.search.last_right_frame != 0},
                                    suspect.span, feed);
  if (!frame.ok()) return frame.status();
  Explanation explanation;
  explanation.frame = std::move(*frame);
  if (!explanation.frame.absence.empty()) return explanation;
  explanation.likeness = CompareWith(options.tolerance, explanation.frame.picture, suspect.picture,
                                     {explanation.frame.number, suspect.draw, suspect.span.read});
  if (!explanation.likeness.ok() || *explanation.likeness == Likeness::kNotCompared)
    return explanation;
  explanation.blame = FindBlame(explanation.frame, suspect.picture, options.tolerance.loose);
  DP2TRACE_RETURN_IF_ERROR(
      LookCloser(options, suspect, explanation.frame, feed, explanation.blame));
  return explanation;
}

}  // namespace dp2trace::blame
