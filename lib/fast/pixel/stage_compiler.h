// Texture stages of fixed function as a program of the block machine. Source: lib/raster/rendering-texture.md 4.
#pragma once

#include <memory>

#include "fast/pixel/pixel_code.h"
#include "fast/texture/texture_cache.h"
#include "raster/pixel/stage_plan.h"

namespace dp2trace::fast {

// Null for what only the reference draws: the MASK modes of TEXTUREMAPBLEND.
std::shared_ptr<PixelCode> CompileStages(const raster::TextureStages& stages, TextureCache& cache);

}  // namespace dp2trace::fast
