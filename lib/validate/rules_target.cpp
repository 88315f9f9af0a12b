#include "validate/rules_target.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> TargetRules() { return {}; }

void CheckTargetAtDraw(const CommandView&) {}

}  // namespace dp2trace::validate
