#include "validate/rules_light.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> LightRules() { return {}; }

void CheckLightAtDraw(const CommandView&) {}

}  // namespace dp2trace::validate
