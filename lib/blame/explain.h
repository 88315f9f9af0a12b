// Who is to blame for a picture that was found.
#pragma once

#include "base/status.h"
#include "blame/analysis.h"
#include "blame/frame.h"
#include "blame/search.h"
#include "play/feed.h"

namespace dp2trace::blame {

struct Explanation {
  Frame frame;  // its `absence` says why there is no more than that
  Result<Likeness> likeness =
      Likeness::kEqual;  // of the two pictures; there is no blame unless they were compared
  Blame blame;
};

// Plays the trace up to the picture, and again where a closer look takes that. Fails where it cannot be played.
Result<Explanation> Explain(const SearchOptions& options, const Suspect& suspect, play::Feed& feed);

}  // namespace dp2trace::blame
