// What `blame` is asked for.
#pragma once

#include <cstdint>
#include <string>

#include "image/loose_compare.h"
#include "options.h"
#include "play/player.h"

namespace dp2trace::app {

struct BlameVerb {
  std::string trace;
  uint64_t frame = 0;     // 0: not given
  std::string against;    // picture or folder; empty: `run`
  std::string run;        // command that makes pictures
  uint32_t timeout = 60;  // seconds, of one run
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  image::LooseOptions loose;
  play::Options play;
};

void AddBlameOptions(Verb& command, BlameVerb& options);

}  // namespace dp2trace::app
