// The help of a verb.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "arguments.h"

namespace dp2trace::app {

// `width`: columns, as HelpWidth() says; single words, examples and notes may be longer.
std::string HelpText(const Verb& verb, size_t width);
// For a terminal of so many columns, 0 for none: 60 to 120, or 100.
size_t HelpWidth(uint32_t columns);

}  // namespace dp2trace::app
