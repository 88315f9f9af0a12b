#include "validate/rules_legacy_draw.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> LegacyDrawRules() { return {}; }

void CheckDrawnLegacyDraw(const CommandView&, const device::Draw&) {}

}  // namespace dp2trace::validate
