// Texture instructions: what they sample and give.
// Source: lib/raster/rendering-shaders.md 8.7 and 8.8.
#pragma once

#include <cstdint>

#include "raster/shader/registers.h"
#include "raster/shader/texture_bank.h"

namespace dp2trace::raster {

// What texture instructions work on, and what they leave beside their result.
struct TextureUnit {
  const shader::Program* program = nullptr;
  const TextureBank* textures = nullptr;
  const OperandReader* operands = nullptr;
  const ShaderRegisters* registers = nullptr;
  uint32_t lane_count = kLaneCount;
  uint32_t killed = 0;          // lanes, by colour key or TexKill
  bool writes_depth = false;    // TexDepth, TexM3x2Depth
  Float4Quad depth = {};        // x, where writes_depth
  Float4Quad matrix_rows = {};  // dot products of the pads so far, in x and y
  uint32_t row_count = 0;
  ProbedShading* probe = nullptr;  // who wants to know of samples
};

// The result, before scale and mask. Lanes in `lanes` execute; the others are sampled for derivatives. TexKill gives nothing.
Float4Quad RunTextureInstruction(const shader::Instruction& instruction, uint32_t lanes,
                                 TextureUnit& unit);
// The forms of pixel shaders 1.1 to 1.4 (texture_legacy.cpp).
Float4Quad RunLegacyTexture(const shader::Instruction& instruction, uint32_t lanes,
                            TextureUnit& unit);

}  // namespace dp2trace::raster
