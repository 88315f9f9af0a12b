#include "blame/follow.h"

#include <utility>

namespace dp2trace::blame {
namespace {

constexpr size_t kMaxCopies = 8;

Result<Frame> Record(const RecorderOptions& options, const history::FrameSpan& span,
                     play::Feed& feed) {
  Recorder recorder(options, span);
  play::Player player(options.play, {&recorder});
  DP2TRACE_RETURN_IF_ERROR(feed.Play("blame", player));
  return recorder.Finish();
}

}  // namespace

Result<Frame> RecordFrame(const RecorderOptions& options, const history::FrameSpan& span,
                          play::Feed& feed) {
  Result<Frame> frame = Record(options, span, feed);
  while (frame.ok() && frame->copy && frame->copies.size() < kMaxCopies) {
    RecorderOptions before = options;
    before.last_draw = 0;
    before.stop = frame->copy->place;
    Result<Frame> source = Record(before, frame->copy->source, feed);
    if (!source.ok()) return source;
    if (source->operations.empty() || source->picture != frame->picture) break;
    source->copies = std::move(frame->copies);
    source->copies.push_back(frame->operations.back());
    source->number = frame->number;
    source->is_unfinished = frame->is_unfinished;
    frame = std::move(source);
  }
  return frame;
}

}  // namespace dp2trace::blame
