// A part of a recorded call: some of its tokens, each at its offset.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/events.h"

namespace dp2trace::trim {

// The call with the tokens from `begin` to `end` (offsets from the start of the command buffer; none: from its first, to its last).
// Tokens keep their offsets, so that immediate vertices keep their alignment. A result that speaks of tokens that are cut off goes.
trace::Dp2 CutCall(const trace::Dp2& call, std::optional<uint64_t> begin,
                   std::optional<uint64_t> end);

}  // namespace dp2trace::trim
