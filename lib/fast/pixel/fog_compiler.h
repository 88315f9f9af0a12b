// What happens to the colour of target 0 between shading and the stores: fog, and the clamp of pixel shaders 1.x.
// Source: lib/raster/rendering-geometry.md 2.7; lib/raster/rendering-output.md 5.2 and 5.3.
#pragma once

#include "fast/native/native_cache.h"
#include "fast/pixel/pixel_code.h"
#include "raster/pixel/fog.h"

namespace dp2trace::fast {

// Appends it to the program. Alpha stays as it is.
void CompileFog(const raster::FogPlan& fog, PixelCode& code);

// The same, and constants for the colours of targets that the program does not write: the code is complete.
void FinishCode(const raster::FogPlan& fog, NativeCache& native, PixelCode& code);

}  // namespace dp2trace::fast
