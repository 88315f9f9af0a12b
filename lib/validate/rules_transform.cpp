#include "validate/rules_transform.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> TransformRules() { return {}; }

void CheckTransformAtDraw(const CommandView&) {}

}  // namespace dp2trace::validate
