// Rules that no trace can break: they stand in the catalogue because a document has them.
#pragma once

#include <string_view>

#include "rules/rule.h"

namespace dp2trace {

// Why the rule never fires; empty for all the others.
std::string_view SilenceOf(Rule rule);

}  // namespace dp2trace
