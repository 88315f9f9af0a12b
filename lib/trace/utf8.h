// UTF-8 well-formedness.
#pragma once

#include <cstddef>
#include <string_view>

namespace dp2trace::trace {

// True for well-formed UTF-8: shortest forms, no surrogates, nothing above U+10FFFF. Source: Unicode 15, table 3-7.
bool IsUtf8(std::string_view text);

}  // namespace dp2trace::trace
