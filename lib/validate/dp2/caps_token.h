// What single tokens ask of the device: DP2-CAPS-026 to -028 and -032.
#pragma once

#include "validate/command_view.h"

namespace dp2trace::validate {

// Every shader that the token creates.
void CheckCapsOfShaders(const CommandView& view);

}  // namespace dp2trace::validate
