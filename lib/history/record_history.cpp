#include "history/record_history.h"

#include "base/plain_text.h"

namespace dp2trace::history {
namespace {

// `span` says afterwards what an unfinished frame shows.
Result<History> RecordSpan(const Options& options, FrameSpan& span, play::Feed& feed) {
  Recorder recorder(options, span);
  play::Player player(options.play, {&recorder});
  DP2TRACE_RETURN_IF_ERROR(feed.Play("history", player));
  if (span.is_unfinished) {
    if (!player.drawn_target()) {
      History absent;
      absent.absence = AbsenceOf("frame", span.frame, span.frame - 1);
      return absent;
    }
    span.space = player.drawn_target()->space;
    span.handle = player.drawn_target()->handle;
  }
  History history = recorder.Finish();
  history.is_cut = player.has_ended();
  return history;
}

}  // namespace

Result<History> RecordHistory(Options options, FrameSpan span, play::Feed& feed) {
  WorkBudget work(play::StepsOf(options.play.validation));
  options.play.validation.work = &work;
  const play::DrawnTarget guess = {span.space, span.handle};
  Result<History> history = RecordSpan(options, span, feed);
  const bool is_right = guess == play::DrawnTarget{span.space, span.handle};
  return is_right || !history.ok() ? std::move(history)
                                   : RecordSpan(options, span, feed);  // now it is known
}

}  // namespace dp2trace::history
