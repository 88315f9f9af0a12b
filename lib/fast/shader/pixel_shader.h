// Pixel shaders as pixel work of the block machine. Source: lib/raster/rendering-shaders.md 8.7 to 8.9.
#pragma once

#include <memory>

#include "fast/pixel/pixel_code.h"
#include "fast/shader/shader_cache.h"
#include "fast/texture/texture_cache.h"
#include "raster/shader/shader.h"

namespace dp2trace::fast {

// Null for what only the interpreter runs.
std::shared_ptr<PixelCode> CompilePixelShader(const raster::PixelShaderPlan& plan,
                                              ShaderCache& shaders, TextureCache& textures);

}  // namespace dp2trace::fast
