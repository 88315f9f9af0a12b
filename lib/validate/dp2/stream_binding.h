// Rules about the binding of streams and indices: DP2-BIND-*.
// Source: lib/opcode/dp2.md 5.1, 20.2 and 25.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> StreamBindingRules();

}  // namespace dp2trace::validate
