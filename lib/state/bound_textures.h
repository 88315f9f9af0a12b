// The textures that a draw may sample as PNG files.
// Source: lib/design.md 7; lib/raster/rendering-output.md 7.6.
#pragma once

#include <string>

#include "base/status.h"
#include "state/draw_finder.h"

namespace dp2trace::state {

// A folder that appears whole or not at all, with stage-STAGE-surface-HANDLE-fFACE-lLEVEL.png (-sSLICE for volumes) for all levels and
// faces of each texture that is bound, and textures.txt, which says what they are. An earlier such folder is replaced.
// Fails (IO-001) where it cannot be written, or there is another folder of that name.
Status WriteBoundTextures(const std::string& folder, const FoundDraw& draw,
                          const device::Device& device, const device::Context& context);

}  // namespace dp2trace::state
