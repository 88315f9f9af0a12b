// Vertex shaders as vertex work of the block machine. Source: lib/raster/rendering-shaders.md 8.3 and 8.9.
#pragma once

#include <memory>

#include "fast/shader/shader_cache.h"
#include "fast/vertex/vertex_code.h"
#include "raster/shader/vertex_shader.h"
#include "raster/vertex/placement.h"

namespace dp2trace::fast {

// `program` is that of the shader. Null for what only the interpreter runs, and for programs that sample textures.
std::shared_ptr<VertexCode> CompileVertexShader(
    const raster::VertexShader& shader, const std::shared_ptr<const shader::Program>& program,
    ShaderCache& shaders, const vertex::ViewportMapping& viewport);

}  // namespace dp2trace::fast
