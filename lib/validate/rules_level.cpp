#include "validate/rules_level.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> LevelRules() { return {}; }

}  // namespace dp2trace::validate
