#include "history/frame_search.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "trace/draw_counter.h"

namespace dp2trace::history {
namespace {

// Reads the trace until the finder is done.
template <class Finder>
Status Run(play::Feed& feed, const std::string& purpose, Finder& finder) {
  return feed.Read(purpose, [&finder](const trace::EventRecord& record) {
    finder.OnEvent(record.number, record.event);
    return !finder.is_done();
  });
}

// Where the frame lies; `needs_target`: no present ends it, and what it shows has to be found.
Result<FoundSpan> FindPlace(play::Feed& feed, uint64_t frame, bool& needs_target) {
  FrameFinder finder(frame);
  DP2TRACE_RETURN_IF_ERROR(Run(feed, "find the frame", finder));
  FoundSpan found = {.span = finder.span(), .absence = {}};
  needs_target = finder.may_be_unfinished();
  if (!finder.is_done() && !needs_target) {
    trace::FrameCounter frames;
    DP2TRACE_RETURN_IF_ERROR(
        feed.Read("find the frame", [&frames](const trace::EventRecord& record) {
          frames.Add(record.event);
          return true;
        }));
    found.absence = AbsenceOf("frame", frame, frames.count());
    found.may_be_unread = true;
  }
  return found;
}

// What an unfinished frame shows; where nothing was drawn, it is not there.
void SetTarget(const std::optional<play::DrawnTarget>& target, FoundSpan& found) {
  FrameSpan& span = found.span;
  if (!target) {
    found.absence = AbsenceOf("frame", span.frame, span.frame - 1);
    return;
  }
  span.is_unfinished = true;
  span.space = target->space;
  span.handle = target->handle;
}

}  // namespace

Result<FoundSpan> FindFrame(play::Feed& feed, uint64_t frame, const play::RunnerOptions& limits) {
  bool needs_target = false;
  Result<FoundSpan> found = FindPlace(feed, frame, needs_target);
  if (!found.ok() || !needs_target) return found;
  play::Player player({.validation = limits, .raster = {}}, {});
  DP2TRACE_RETURN_IF_ERROR(feed.Play("find the target", player));
  SetTarget(player.drawn_target(), *found);
  return found;
}

Result<FoundSpan> GuessFrame(play::Feed& feed, uint64_t frame) {
  bool needs_target = false;
  Result<FoundSpan> found = FindPlace(feed, frame, needs_target);
  if (!found.ok() || !needs_target) return found;
  TargetGuess guess(found->span.first);
  DP2TRACE_RETURN_IF_ERROR(feed.Read("find the target", [&guess](const trace::EventRecord& record) {
    guess.OnEvent(record.number, record.event);
    return true;
  }));
  found->may_be_unread = true;
  SetTarget(guess.target(), *found);
  return found;
}

Result<FoundSpan> FindRead(play::Feed& feed, uint64_t read) {
  ReadFinder finder(read);
  DP2TRACE_RETURN_IF_ERROR(Run(feed, "find the read", finder));
  FoundSpan found = {.span = finder.span(), .absence = {}};
  if (!finder.is_done()) {
    found.absence = AbsenceOf("read", read, finder.reads());
    found.may_be_unread = true;
  } else if (found.span.handle == 0) {
    found.absence = fmt::format(
        "read {} is of a buffer or of a box of a volume; expected one of a picture", read);
  }
  return found;
}

}  // namespace dp2trace::history
