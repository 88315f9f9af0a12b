// A float as text.
#pragma once

#include <optional>
#include <string>

namespace dp2trace {

// The float that is nearest to a decimal number ("-0.5", "1e-3", as JSON has them). Nothing where it is none, too large, or lost in zero.
std::optional<float> FloatOf(const std::string& digits);

}  // namespace dp2trace
