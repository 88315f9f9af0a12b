// The name that a user probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dp2trace {

// "; did you mean X?", or nothing where no name is near. Case does not matter. Of several the first nearest one.
std::string NearMissClause(std::string_view word, std::span<const std::string_view> names);

}  // namespace dp2trace
