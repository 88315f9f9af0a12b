#include "validate/rules_declaration.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> DeclarationRules() { return {}; }

void CheckDeclarationAtDraw(const CommandView&) {}

}  // namespace dp2trace::validate
