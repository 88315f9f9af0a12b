// Results of arithmetic instructions, one pixel or vertex at a time.
// Source: lib/raster/rendering-shaders.md 8.4 and 8.5.
#pragma once

#include <array>

#include "raster/math.h"
#include "shader/program.h"

namespace dp2trace::raster {

// The result before scale and mask, from the evaluated sources. Matrices, derivatives, Bem and what is not arithmetic give 0.
Float4 Evaluate(const shader::Instruction& instruction, shader::Version version,
                const std::array<Float4, 4>& sources);

// False for a comparison that does not exist, and for NaN unless the comparison is "not equal".
bool CompareReals(uint8_t comparison, float a, float b);

}  // namespace dp2trace::raster
