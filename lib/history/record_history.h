// The history of a pixel of a trace that can be read again.
#pragma once

#include "base/status.h"
#include "history/operation.h"
#include "history/recorder.h"
#include "play/feed.h"

namespace dp2trace::history {

// Plays the trace up to the end of the span, and once more where an unfinished frame shows another surface than the span says, which may
// be a guess. Both replays together do no more work than the options allow one.
Result<History> RecordHistory(Options options, FrameSpan span, play::Feed& feed);

}  // namespace dp2trace::history
