// What a device claims, as a file of its own: one object with members of D3DCAPS9 in snake_case, and `formats`, a list of the names or
// numbers of D3DFORMAT. Source: lib/design.md 3 ("Caps"); d3d/caps.def.
#pragma once

#include <string>

#include "base/status.h"
#include "trace/events.h"

namespace dp2trace::json {

// Reads `caps` and `formats` of a header. Flag words may be written as "0x..." too. Fails where the file cannot be read or holds
// anything else, be it a member that no rule reads.
Status ReadCapsFile(const std::string& path, trace::Header& header);

}  // namespace dp2trace::json
