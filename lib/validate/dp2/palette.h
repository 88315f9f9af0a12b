// Rules about palettes: DP2-PAL-*. Part of the topic "target".
// Source: lib/opcode/dp2.md 15 and 25.
#pragma once

#include "validate/command_view.h"

namespace dp2trace::validate {

void CheckSetPalette(const CommandView& view);
void CheckUpdatePalette(const CommandView& view);
// Palettised textures that a draw samples.
void CheckPaletteAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
