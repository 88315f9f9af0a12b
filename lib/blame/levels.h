// Whether one level of a texture explains the pixels that are wrong.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "blame/analysis.h"
#include "blame/frame.h"
#include "history/frame_finder.h"
#include "play/feed.h"

namespace dp2trace::blame {

// Looks at some pixels of the wrong draw that shows most of them, wrong and right ones: a level that all wrong ones sample and at most a
// quarter of the right ones do. A draw with fewer than four right pixels is compared with other draws that have one of its textures. Nothing where there is none, or its textures have one level each. Plays the frame of the span once for each pixel.
Result<std::optional<BlamedLevel>> FindLevel(const Frame& frame, const Blame& blame,
                                             const image::Picture& actual,
                                             const image::LooseOptions& options,
                                             const history::FrameSpan& span,
                                             const play::Options& play, play::Feed& feed);

}  // namespace dp2trace::blame
