// What single tokens ask of the device: DP2-CAPS-026 to -028 and -032.
#pragma once

#include <span>

#include "validate/command_rules.h"

namespace dp2trace::validate {

std::span<const CommandRule> CapsRules();
// Every shader that the token creates.
void CheckCapsOfShaders(const CommandView& view);

}  // namespace dp2trace::validate
