// The frames of a trace, one after another: what is in each, and a small picture of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "image/picture.h"
#include "info/tally.h"
#include "live/keyframes.h"
#include "live/watch.h"
#include "replay/replayer.h"
#include "trace_file/source.h"

namespace dp2trace::live {

// Pictures of the film strip: no larger than this, each pixel the mean of those that it stands for.
inline constexpr uint32_t kFilmWidth = 160, kFilmHeight = 120;

// The picture, as small as that; one that is small enough stays as it is.
image::Picture Shrink(const image::Picture& picture, uint32_t width, uint32_t height);

struct FrameFacts {
  uint64_t number = 0;
  bool is_unfinished = false;
  uint64_t event = 0;  // its present; of an unfinished one the last event of the trace
  uint64_t draws = 0;  // executed or not
  info::Tally tally;
  uint64_t pixels = 0;  // that passed all tests
  uint64_t texels = 0;  // that were sampled
  std::array<uint64_t, kSeverityCount> findings = {};
  std::optional<image::Picture> film;  // none: nothing is shown
};

// Replays a trace frame by frame.
class Overview final : private replay::ImageSink {
 public:
  // What is played goes to the keyframes, which outlive the overview.
  Overview(std::unique_ptr<trace_file::Source> source, const play::Options& options,
           Keyframes& keyframes, Watch& watch);

  // Replays until another frame is known, or to the end: is_complete(), and status() says where it cannot be played on. Fails where it was cancelled;
  // the next call goes on, unless is_broken().
  Status Advance();
  // Cancelled inside of an event: only another one from the start of the trace can tell what follows.
  bool is_broken() const { return is_broken_; }
  const std::vector<FrameFacts>& frames() const { return frames_; }
  // By the CPU, so far.
  uint64_t reads() const { return replayer_.statistics().reads; }
  bool is_complete() const { return is_complete_; }
  const Status& status() const { return status_; }
  const trace_file::Source& source() const { return *source_; }

 private:
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override;
  // Frames that the replay has ended since.
  void EndFrames();
  void EndFrame();
  // After a token.
  Status Interrupt();

  std::unique_ptr<trace_file::Source> source_;
  DiagnosticList findings_;
  Keyframes* keyframes_;
  Watch* watch_;
  state::StateWrites writes_;
  info::TallyCounter tally_;
  replay::Replayer replayer_;
  std::vector<FrameFacts> frames_;
  FrameFacts current_;
  uint64_t draws_before_ = 0, pixels_before_ = 0, texels_before_ = 0;
  std::array<uint64_t, kSeverityCount> found_before_ = {};
  uint64_t last_event_ = 0;
  uint64_t tokens_ = 0;  // of the current event
  bool is_complete_ = false;
  bool is_broken_ = false;
  Status status_;
};

}  // namespace dp2trace::live
