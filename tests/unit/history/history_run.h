// The history of pixels of JSON traces, and the pictures of the same traces.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "history/frame_finder.h"
#include "history/recorder.h"
#include "image/picture.h"
#include "play/feed.h"

namespace dp2trace::testing {

// The text of a trace of the repository: "scenes/mirror-ball.json".
std::string TraceText(const std::string& name);
// `events` are the elements of the array after the header.
std::string TraceOf(const std::string& events);

// A JSON trace that outlives it.
class TextFeed final : public play::Feed {
 public:
  explicit TextFeed(const std::string& trace) : trace_(trace) {}
  Status Read(const std::string& purpose,
              const std::function<bool(const trace::EventRecord&)>& visit) override;
  Status Play(const std::string& purpose, play::Player& player) override;
  // What it was read and played for.
  const std::vector<std::string>& purposes() const { return purposes_; }

 private:
  const std::string& trace_;
  std::vector<std::string> purposes_;
};

// Where a frame lies; fails the test where it does not exist.
history::FrameSpan SpanOf(const std::string& trace, uint64_t frame);
// What was drawn to last from the event `first` on, guessed.
std::optional<play::DrawnTarget> GuessOf(const std::string& trace, uint64_t first);
// A pixel of the picture of a frame; fails the test where the frame does not exist.
history::History HistoryOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y,
                           const history::Options& options = {});
// The report in text.
std::string TextOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y);
std::string StepsOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y);
std::string JsonOf(const std::string& trace, uint64_t frame, uint32_t x, uint32_t y);

// What `replay` draws: pictures of frames by number, and of render target 0 after draws by number.
struct Pictures {
  struct Kept {
    uint32_t surface = 0, x = 0, y = 0;  // handle; corner of the area
    image::Picture picture;
  };
  std::map<uint64_t, Kept> frames, draws;
};
Pictures PicturesOf(const std::string& trace);

// Every face and level of a surface after the last event of a frame; nothing where it is no more.
struct SurfacePicture {
  uint32_t face = 0, level = 0;
  image::Picture picture;
};
std::vector<SurfacePicture> SurfacePicturesOf(const std::string& trace, uint64_t frame,
                                              uint32_t handle);

}  // namespace dp2trace::testing
