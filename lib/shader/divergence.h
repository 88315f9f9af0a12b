// Which instructions of a pixel shader may run for some pixels of a primitive and not for others.
// Source: lib/raster/rendering.md 0.5; lib/raster/rendering-shaders.md 8.6; Direct3D 9 assembly shader reference ("Flow Control Limitations").
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shader/program.h"

namespace dp2trace::shader {

struct Divergence {
  std::vector<bool> is_divergent;  // by instruction
  // Components of r# that may differ between pixels, wherever they are read.
  std::array<uint8_t, 32> varying_temps = {};
};

// Conditions on constants, vFace and what is computed only from them are the same for all pixels.
Divergence FindDivergence(const Program& program);

}  // namespace dp2trace::shader
