// Which picture is looked at: the one that the user names, or the first that differs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "blame/pictures.h"
#include "blame/report.h"
#include "history/frame_search.h"
#include "image/picture.h"
#include "play/feed.h"

namespace dp2trace::blame {

// In place of a path: the `picture` events of the trace.
inline constexpr std::string_view kRecorded = "recorded";

struct SearchOptions {
  uint64_t frame = 0;           // 0: not given
  uint64_t read = 0;            // likewise
  std::string against = {};     // picture, folder or kRecorded; empty: `command`
  PictureCommand command = {};  // that makes pictures
  Tolerance tolerance = {};
  play::Options play = {};
  // Hears of each picture that the command made; may be null.
  std::function<void(const PictureName&, Likeness)> on_look = {};
};

struct Suspect {
  history::FrameSpan span;
  uint64_t draw = 0;       // 0: the frame
  image::Picture picture;  // of the driver
  Search search;
};

struct SearchEnd {
  enum class Kind {
    kSuspect,
    kEqual,          // no picture differs; `message` says what was compared
    kNothing,        // nothing was compared; the message says why
    kAbsent,         // `absent` says what the trace lacks
    kNotListed,      // the folder cannot be listed; the message says why
    kFailed,         // `status` is about `file`
    kCommandFailed,  // likewise about the command, or the pictures that it made
  };
  Kind kind = Kind::kSuspect;
  Suspect suspect = {};
  std::string message = {};
  uint64_t pictures = 0;  // that were compared, of kEqual
  history::FoundSpan absent = {};
  std::string file = {};  // of kFailed; empty: the trace
  Status status = {};
};

// Plays the trace up to the picture, if need be several times.
SearchEnd FindSuspect(const SearchOptions& options, play::Feed& feed);

}  // namespace dp2trace::blame
