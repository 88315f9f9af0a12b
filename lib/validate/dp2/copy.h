// Rules about copies, fills, mip generation: DP2-TEXBLT-*, DP2-VOLBLT-*, DP2-BUFBLT-*, DP2-BLT-*, DP2-MIPGEN-*, DP2-COMPOSE-*.
// Source: lib/opcode/dp2.md 16 and 25.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> CopyRules();

}  // namespace dp2trace::validate
