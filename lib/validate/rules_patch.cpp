#include "validate/rules_patch.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> PatchRules() { return {}; }

void CheckPatchAtDraw(const CommandView&) {}

void CheckPatchAtEnd(const EventView&) {}

}  // namespace dp2trace::validate
