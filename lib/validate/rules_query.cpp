#include "validate/rules_query.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> QueryRules() { return {}; }

void CheckQueryEvent(const EventView&, const trace::Dp2&) {}

}  // namespace dp2trace::validate
