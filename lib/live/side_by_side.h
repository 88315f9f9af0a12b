// The trace and what is beside it, compared as the verbs `compare`, `blame` and `diff` do: each answer has their text and their JSON.
#pragma once

#include <string>

#include "base/status.h"
#include "blame/search.h"
#include "live/beside.h"
#include "live/picture_place.h"
#include "live/trace_feed.h"
#include "play/player.h"

namespace dp2trace::live {

// The picture that a place names: up to where the trace plays, with these options, which may start at the frame.
struct ComparedPlace {
  PicturePlace place;
  blame::Suspect suspect;  // without the picture
  play::Options play;
};

// {"text", "compare"}: expected is the replay's. Fails (TRACE-001) where the trace has no such picture.
Result<std::string> CompareText(const ComparedPlace& place, const Beside& beside, TraceFeed& feed);
// {"text", "blame", "left", "top"}: the first pixel of the picture in its surface, unless it is 0. Fails in addition where the pictures have two sizes (IO-002). `trace` is its name.
Result<std::string> BlameText(const std::string& trace, const ComparedPlace& place,
                              const Beside& beside, TraceFeed& feed);
// {"text", "diff"}
Result<std::string> DiffText(const std::string& trace, const Beside& beside, TraceFeed& a,
                             TraceFeed& b);

}  // namespace dp2trace::live
