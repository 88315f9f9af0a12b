// The pictures that are compared: those of the replay, those in the trace, and those that a command of the user makes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "image/loose_compare.h"
#include "image/picture.h"
#include "image/png.h"
#include "play/feed.h"
#include "replay/images.h"

namespace dp2trace::blame {

// What the search keeps of each pixel takes more than the picture itself.
inline constexpr image::PngLimits kPictureLimits = {.max_pixels = uint64_t{1} << 25};

// Numbers of the frames, draws and reads whose pictures are wanted.
struct WantedPictures {
  std::vector<uint64_t> frames, draws, reads;
};
// Replays the trace and calls visit() for each of them that there is, in order, until it returns false; of draws that of target 0.
Status ForEachPicture(
    play::Feed& feed, const play::Options& play, const WantedPictures& wanted,
    const std::function<bool(const replay::ImageInfo&, const image::Picture&)>& visit);

// A `picture` event on level 0 of face 0 of a surface, and what the replay has there. Where the event has no pixels, both are the replay's.
struct RecordedPicture {
  uint64_t event = 0;
  uint32_t space = 0, handle = 0;  // of the surface
  image::Picture driver, replay;   // of the whole level
};
// Replays the trace and calls visit() for each that can be compared, in order, until it returns false.
Status ForEachRecorded(play::Feed& feed, const play::Options& play,
                       const std::function<bool(RecordedPicture&&)>& visit);

// What is compared: a read, a draw of a frame, or (both 0) the frame.
struct PictureName {
  uint64_t frame = 0, draw = 0, read = 0;
};
// "draw 7", "frame 3", "read 2"
std::string TextOf(const PictureName& name);

// Makes the driver's picture of what {draw} or {frame} says, in the file {out}.
struct PictureCommand {
  std::string text = {};  // of a shell
  std::optional<std::chrono::milliseconds> timeout = {};
  // It makes pictures after draws, not of frames.
  bool NamesDraw() const { return text.find("{draw}") != std::string::npos; }
};
// Runs the command, and reads the picture that it writes. Fails (IO-002) where it ends otherwise than with 0, takes too long, or leaves no
// picture.
Result<image::Picture> MakePicture(const PictureCommand& command, const PictureName& name);

// The replay's picture. Fails (IO-002) where there is none.
Result<image::Picture> ReplayPicture(play::Feed& feed, const play::Options& play,
                                     const PictureName& name);

// Which pictures count as equal.
struct Tolerance {
  image::LooseOptions loose = {};
  uint64_t max_pixels = 0;  // that may differ in a picture that is right
};
enum class Likeness { kEqual, kDifferent, kNotCompared };
// Whether they differ by more than is allowed; kNotCompared where the region is outside of them. Fails (IO-002) where they have two sizes;
// `name` is the one of both.
Result<Likeness> CompareWith(const Tolerance& tolerance, const image::Picture& replay,
                             const image::Picture& driver, const PictureName& name);

}  // namespace dp2trace::blame
