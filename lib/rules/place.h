// Where a finding is, in words.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace dp2trace {

// "event 7, offset 0x1c", "offset 0x1c": the place in a trace; empty where nothing is known of it.
std::string PlaceInTrace(const Diagnostic& diagnostic);

}  // namespace dp2trace
