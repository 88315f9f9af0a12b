// A picture that is the copy of another surface: the draws are found where they drew.
#pragma once

#include "base/status.h"
#include "blame/frame.h"
#include "blame/recorder.h"
#include "history/frame_finder.h"
#include "play/feed.h"

namespace dp2trace::blame {

// The frame of the span. Where the last thing that was done to its picture is a blit of all of it from a surface that the frame drew to, and
// that surface holds the same pixels, it is the frame of that surface up to the blit; Frame::copies names the blits that were followed.
Result<Frame> RecordFrame(const RecorderOptions& options, const history::FrameSpan& span,
                          play::Feed& feed);

}  // namespace dp2trace::blame
