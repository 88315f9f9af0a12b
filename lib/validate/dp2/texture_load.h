// Rules about TEXBLT records that the device executes: DP2-TEXBLT-009 and up, warnings and advice. Part of the topic "copy".
// Source: lib/opcode/dp2.md 16.1 and 25.
#pragma once

#include "validate/command_view.h"

namespace dp2trace::validate {

void CheckTextureLoads(const CommandView& view);

}  // namespace dp2trace::validate
