// Which picture `blame` looks at: the one that the user names, or the first that differs.
#pragma once

#include <optional>

#include "blame/report.h"
#include "blame_options.h"
#include "exit_code.h"
#include "history/frame_finder.h"
#include "image/picture.h"

namespace dp2trace::app {

struct Suspect {
  history::FrameSpan span;
  uint64_t draw = 0;       // 0: the frame
  image::Picture picture;  // of the driver
  blame::Search search;
};

// Nothing, with the exit code, where no picture differs (kOk, and the result says so) or the search cannot go on.
std::optional<Suspect> FindSuspect(const BlameVerb& options, ExitCode& code);

}  // namespace dp2trace::app
