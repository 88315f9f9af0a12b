// What a live page is made of, as `inspect --live` and `golden report --live` read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "live/page.h"

namespace dp2trace::app {

// The path of the engine: the given one, or the one that is installed or built with the program. Empty, after a usage error, where there is none.
std::string FindEngine(const std::string& given);
// Fails where it is not an engine of this version.
Result<std::vector<uint8_t>> ReadEngine(const std::string& path);
// A file of any form that the page reads; at most 256 MiB, as browsers hold a page several times over.
Result<live::OwnTrace> ReadOwnTrace(const std::string& path);

}  // namespace dp2trace::app
