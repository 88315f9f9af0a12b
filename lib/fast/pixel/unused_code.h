// Straight code without what nobody needs.
#pragma once

#include "fast/pixel/pixel_code.h"

namespace dp2trace::fast {

// Drops operations and inputs whose results reach no colour of target 0. For programs without jumps that write no other target;
// `needs_alpha`: alpha is tested, blended with or stored.
void RemoveUnused(bool needs_alpha, PixelCode& code);

}  // namespace dp2trace::fast
