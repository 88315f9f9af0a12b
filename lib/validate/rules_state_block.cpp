#include "validate/rules_state_block.h"

#include "validate/memory.h"

namespace dp2trace::validate {

std::span<const CommandRule> StateBlockRules() { return {}; }

void CheckStateBlockAtEnd(const EventView&) {}

}  // namespace dp2trace::validate
