// Days as texts, YYYY-MM-DD: in the order of the days they are in the order of their characters.
#pragma once

#include <string>
#include <string_view>

namespace dp2trace {

// True for a day that exists: "2026-02-29" is none.
bool IsDate(std::string_view text);

// The day by the clock, UTC.
std::string Today();

}  // namespace dp2trace
