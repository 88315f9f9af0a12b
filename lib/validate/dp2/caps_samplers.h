// What samplers ask of the device: DP2-CAPS-014, -018, -019, -025 and DP2-TSS-029.
#pragma once

#include <cstdint>

#include "validate/command_view.h"

namespace dp2trace::validate {

// `textures`: bit s: the draw reads the texture that is bound to stage s.
void CheckCapsOfSamplers(const CommandView& view, uint32_t textures);

}  // namespace dp2trace::validate
