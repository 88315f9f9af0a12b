// One event from the tape of its text.
#pragma once

#include <vector>

#include "json/values.h"
#include "trace/events.h"

namespace dp2trace::json {

// Sets `event` to what the root object of the tape says. Views point into the tape's text, the arena or `stream`, which takes the bytes
// of a command stream. False, with values.findings(), where the object is not an event.
bool ReadEvent(Values& values, std::vector<uint8_t>& stream, trace::Event& event);

}  // namespace dp2trace::json
