// The pictures that `blame` compares: those of the replay, and those that a command of the user makes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "blame_options.h"
#include "image/picture.h"
#include "image/png.h"
#include "replay/images.h"

namespace dp2trace::app {

// What the search keeps of each pixel takes more than the picture itself.
inline constexpr image::PngLimits kPictureLimits = {.max_pixels = uint64_t{1} << 25};

// Numbers of the frames, draws and reads whose pictures are wanted.
struct WantedPictures {
  std::vector<uint64_t> frames, draws, reads;
};
// Replays the trace and calls visit() for each of them that there is, in order, until it returns false; of draws that of target 0.
// Fails where the trace cannot be opened.
Status ForEachPicture(
    const BlameVerb& options, const WantedPictures& wanted,
    const std::function<bool(const replay::ImageInfo&, const image::Picture&)>& visit);

// A `picture` event on level 0 of face 0 of a surface, and what the replay has there. Where the event has no pixels, both are the replay's.
struct RecordedPicture {
  uint64_t event = 0;
  uint32_t space = 0, handle = 0;  // of the surface
  image::Picture driver, replay;   // of the whole level
};
// Replays the trace and calls visit() for each that can be compared, in order, until it returns false. Fails where the trace cannot be opened.
Status ForEachRecorded(const BlameVerb& options,
                       const std::function<bool(RecordedPicture&&)>& visit);

// What is compared: a read, a draw of a frame, or (both 0) the frame.
struct PictureName {
  uint64_t frame = 0, draw = 0, read = 0;
};
// "draw 7", "frame 3", "read 2"
std::string TextOf(const PictureName& name);

// Runs the command, and reads the picture that it writes. Fails (IO-002) where it ends otherwise than with 0, takes too long, or leaves no
// picture.
Result<image::Picture> MakePicture(const BlameVerb& options, const PictureName& name);

// The replay's picture. Fails (IO-002) where there is none.
Result<image::Picture> ReplayPicture(const BlameVerb& options, const PictureName& name);

enum class Likeness { kEqual, kDifferent, kNotCompared };
// Whether they differ by more than is allowed; kNotCompared where the region is outside of them. Fails (IO-002) where they have two sizes.
Result<Likeness> CompareWith(const BlameVerb& options, const image::Picture& replay,
                             const image::Picture& driver, const std::string& name);

}  // namespace dp2trace::app
