// Limits of the shader machine that the interpreter and the compiler share.
// Source: lib/raster/rendering.md, shaders; D3D9, "rep", "loop", "ps_1_x registers".
#pragma once

#include <cstdint>

namespace dp2trace::shader {

inline constexpr uint32_t kInstructionBudget = 1U << 20;  // of one vertex or pixel
inline constexpr int32_t kMaxIterations = 255;            // of a loop; a count above is cut
inline constexpr uint32_t kColorCount = 2;                // diffuse and specular
// Temporary registers of pixel shaders 1.x lie within -8 to 8.
// Unspecified: MaxValue of pixel shaders 1.x; chosen: 8 in all versions.
inline constexpr float kLegacyRange = 8.0F;

}  // namespace dp2trace::shader
