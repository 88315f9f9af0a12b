// Runs a program over the lanes of one invocation.
// Source: lib/raster/rendering-shaders.md 8.3 and 8.6.
#pragma once

#include <cstdint>

#include "raster/shader/registers.h"
#include "raster/shader/texture_bank.h"

namespace dp2trace::raster {

struct ShaderResult {
  uint32_t killed = 0;        // lanes
  bool writes_depth = false;  // by a texture instruction of version 1
  Float4Quad depth = {};      // x
  uint32_t steps = 0;         // instructions that were executed
};

// What stays the same for all invocations of a draw. All three outlive the object.
class Interpreter {
 public:
  Interpreter(const shader::Program& program, const ConstantRegisters& constants,
              const TextureBank& textures)
      : program_(&program), constants_(&constants), textures_(&textures) {}

  // Lanes 0 to lane_count - 1 execute: 4 pixels or 1 vertex.
  // A probe gets the samples of its lane and, where it wants them, the steps.
  ShaderResult Run(ShaderRegisters& registers, uint32_t lane_count,
                   ProbedShading* probe = nullptr) const;

 private:
  const shader::Program* program_;
  const ConstantRegisters* constants_;
  const TextureBank* textures_;
};

}  // namespace dp2trace::raster
