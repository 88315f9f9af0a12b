// A trace that can be read as often as it takes: what looks for something first and plays then is given one.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "play/player.h"
#include "trace/reader.h"

namespace dp2trace::play {

// Whoever owns it opens the trace, and reports what reading it finds. `purpose` says what is done: "find the frame".
class Feed {
 public:
  virtual ~Feed() = default;
  // Hands out the events in order, with the results that were recorded after them, until `visit` returns false. Fails where the trace cannot
  // be read.
  virtual Status Read(const std::string& purpose,
                      const std::function<bool(const trace::EventRecord&)>& visit) = 0;
  // Gives the player the events from where it starts (Options::start) until its listeners are done. Fails where the trace cannot be read, or
  // one of them fails.
  virtual Status Play(const std::string& purpose, Player& player) = 0;
};

}  // namespace dp2trace::play
