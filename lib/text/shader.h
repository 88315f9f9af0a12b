// The shaders of a DP2 command as assembly text.
#pragma once

#include <string>

#include "stream/stream.h"

namespace dp2trace::text {

// The assembly of each shader that the command creates, one indented line per instruction, as far as the code can be read. Nothing
// for other commands.
void AppendShaders(std::string& out, const stream::Command& command,
                   const stream::Environment& environment);

}  // namespace dp2trace::text
