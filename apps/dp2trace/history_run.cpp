#include "history_run.h"

#include <optional>

#include "console.h"
#include "history_frame.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// Nothing where the trace cannot be replayed: `code` says why. `span` says afterwards what an unfinished frame shows.
std::optional<history::History> Record(const HistoryOptions& options, history::FrameSpan& span,
                                       ExitCode& code) {
  history::Recorder recorder(options.history, span);
  play::Player player(options.history.play, {&recorder});
  Status status;
  code = ExitCode::kOk;
  if (!PlayTrace({options.trace, options.max_memory, "history"}, player, status, code))
    return std::nullopt;
  if (!status.ok()) {
    code = Worse(code, ReportFailure(options.trace, status));
    return std::nullopt;
  }
  if (span.is_unfinished) {
    if (!player.drawn_target()) {
      code = ReportAbsent("frame", span.frame, span.frame - 1, code);
      return std::nullopt;
    }
    span.space = player.drawn_target()->space;
    span.handle = player.drawn_target()->handle;
  }
  history::History history = recorder.Finish();
  history.is_cut = player.has_ended();
  return history;
}

}  // namespace

std::optional<history::History> RecordFrame(HistoryOptions options, ExitCode& code) {
  history::FrameSpan span;
  code = options.read != 0 ? FindRead(options.trace, options.read, options.max_memory, span)
                           : GuessFrame(options.trace, options.frame, options.max_memory, span);
  if (code != ExitCode::kOk) return std::nullopt;
  WorkBudget work(play::StepsOf(options.history.play.validation));  // of both replays
  options.history.play.validation.work = &work;
  const play::DrawnTarget guess = {span.space, span.handle};
  std::optional<history::History> history = Record(options, span, code);
  const bool is_right = guess == play::DrawnTarget{span.space, span.handle};
  return is_right || !history ? history : Record(options, span, code);  // now it is known
}

}  // namespace dp2trace::app
