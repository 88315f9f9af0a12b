// Vertex and pixel shaders of the reference renderer: what a draw needs to know of them.
// Source: lib/raster/rendering-shaders.md 8.
#pragma once

#include <memory>

#include "device/context.h"
#include "device/draw.h"
#include "raster/pixel/quad.h"
#include "raster/shader/constants.h"
#include "raster/shader/texture_bank.h"
#include "raster/vertex/processor.h"
#include "shader/program.h"

namespace dp2trace::raster {

// The program that processes the vertices of a draw; null: fixed function, which transformed vertices always have.
std::shared_ptr<const shader::Program> VertexProgramOf(const device::Context& context,
                                                       const device::Draw& draw);
// The program that shades pixels; null: the texture stages.
std::shared_ptr<const shader::Program> PixelProgramOf(const device::Context& context);

// A pixel shader with all that a draw gives it.
struct PixelShaderPlan {
  std::shared_ptr<const shader::Program> program;
  uint32_t varying_mask = 0;  // VertexOutputs
  ConstantRegisters constants;
  TextureBank textures;

  // `outputs` are those of the vertex processor, fixed function or shader.
  PixelShaderPlan(const device::Context& context, std::shared_ptr<const shader::Program> pixel,
                  const VertexOutputs& outputs);
};

// The programs are executable and outlive what is made of them, as the context and the draw do. `pixel` is the pixel shader of the
// draw, or null: outputs are linked to its inputs.
std::unique_ptr<VertexProcessor> MakeVertexShaderProcessor(const device::Context& context,
                                                           const device::Draw& draw,
                                                           const shader::Program& vertex,
                                                           const shader::Program* pixel);
std::unique_ptr<PixelProgram> MakePixelShader(std::shared_ptr<const PixelShaderPlan> plan);
// Of the context, whose textures outlive the program and do not change while it is used.
std::unique_ptr<PixelProgram> MakePixelShader(const device::Context& context,
                                              const shader::Program& pixel,
                                              const VertexOutputs& outputs);

}  // namespace dp2trace::raster
