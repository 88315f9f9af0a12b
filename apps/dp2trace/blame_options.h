// What `blame` is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "image/loose_compare.h"
#include "options.h"
#include "play/player.h"

namespace dp2trace::app {

// In place of a path: the `picture` events of the trace.
inline constexpr std::string_view kRecorded = "recorded";

struct BlameVerb {
  std::string trace;
  uint64_t frame = 0;     // 0: not given
  uint64_t read = 0;      // likewise
  std::string against;    // picture, folder or kRecorded; empty: `run`
  std::string run;        // command that makes pictures
  uint32_t timeout = 60;  // seconds, of one run
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  image::LooseOptions loose;
  uint64_t max_pixels = 0;  // that may differ in a picture that is right
  play::Options play;
};

void AddBlameOptions(Verb& command, BlameVerb& options);

}  // namespace dp2trace::app
