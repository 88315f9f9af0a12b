// One DP2 command as a line of text.
#pragma once

#include <string>

#include "stream/stream.h"

namespace dp2trace::text {

// "0x0010 RENDERSTATE 2 {state=ZENABLE value=TRUE} {state=FOGSTART value=0.5}": offset from the start of the command buffer,
// operation, count, fixed structure, records, tails. Long lists are cut and their length given. No line end.
void AppendCommand(std::string& out, const stream::Command& command,
                   const stream::Environment& environment, uint32_t runtime_version);

}  // namespace dp2trace::text
