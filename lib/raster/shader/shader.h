// Vertex and pixel shaders of the reference renderer: what a draw needs to know of them.
// Source: rendering specification, 8.
#pragma once

#include <memory>

#include "base/bytes.h"
#include "device/context.h"
#include "device/draw.h"
#include "raster/pixel/quad.h"
#include "raster/vertex/processor.h"
#include "shader/program.h"

namespace dp2trace::raster {

// The code that processes the vertices of a draw; empty: fixed function, which transformed vertices always have.
Bytes VertexShaderCode(const device::Context& context, const device::Draw& draw);
// The code that shades pixels; empty: the texture stages.
Bytes PixelShaderCode(const device::Context& context);

// The programs are decoded (shader::Decode) and executable, and outlive what is made of them, as the context and the draw do. `pixel`
// is the pixel shader of the draw, or null: outputs are linked to its inputs.
std::unique_ptr<VertexProcessor> MakeVertexShaderProcessor(const device::Context& context, const device::Draw& draw,
                                                           const shader::Program& vertex, const shader::Program* pixel);
// `outputs` are those of the vertex processor, fixed function or shader.
std::unique_ptr<PixelProgram> MakePixelShader(const device::Context& context, const shader::Program& pixel, const VertexOutputs& outputs);

}  // namespace dp2trace::raster
