// Vertex and pixel shaders of the reference renderer: what a draw needs to know of them.
// Source: rendering specification, 8.
#pragma once

#include <memory>

#include "device/context.h"
#include "device/draw.h"
#include "raster/pixel/quad.h"
#include "raster/vertex/processor.h"
#include "shader/program.h"

namespace dp2trace::raster {

// The program that processes the vertices of a draw; null: fixed function, which transformed vertices always have.
const shader::Program* VertexProgramOf(const device::Context& context, const device::Draw& draw);
// The program that shades pixels; null: the texture stages.
const shader::Program* PixelProgramOf(const device::Context& context);

// The programs are executable and outlive what is made of them, as the context and the draw do. `pixel` is the pixel shader of the
// draw, or null: outputs are linked to its inputs.
std::unique_ptr<VertexProcessor> MakeVertexShaderProcessor(const device::Context& context,
                                                           const device::Draw& draw,
                                                           const shader::Program& vertex,
                                                           const shader::Program* pixel);
// `outputs` are those of the vertex processor, fixed function or shader.
std::unique_ptr<PixelProgram> MakePixelShader(const device::Context& context,
                                              const shader::Program& pixel,
                                              const VertexOutputs& outputs);

}  // namespace dp2trace::raster
