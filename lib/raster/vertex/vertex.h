// A vertex after vertex processing: what clipping and rasterization work on, and all that the pixel side knows of a vertex.
// Source: lib/raster/rendering-geometry.md 1.7 and 2.2; lib/raster/rendering-shaders.md 8.9.
#pragma once

#include <array>
#include <cstdint>

#include "raster/math.h"

namespace dp2trace::raster {

// Interpolated four-component values. Fixed function and shaders below 3.0 use the named slots; 3.0 shaders may use all as they like.
inline constexpr uint32_t kVaryingCount = 12;
inline constexpr uint32_t kDiffuseSlot = 0;
inline constexpr uint32_t kSpecularSlot = 1;
// 2 to 9: the coordinates that stage 0 to 7 samples with (per stage, 4.4).
inline constexpr uint32_t kTexcoordSlot = 2;

inline constexpr uint32_t kUserPlaneCount = 6;

// In clip space, or in screen space where the draw has transformed vertices.
struct Vertex {
  Float4 position = {};  // x, y, z, w; transformed: screen x, screen y, depth, rhw
  std::array<Float4, kVaryingCount> varyings = {};
  float fog = 1;         // factor, 1 = no fog; not used with table fog
  float point_size = 1;  // pixels, clamped
  // To the enabled user clip planes; negative = outside.
  std::array<float, kUserPlaneCount> plane_distances = {};
  uint32_t steps = 1;  // what its processing cost (WorkBudget)
};

// A vertex in target pixels (integer coordinates are pixel centres), after clipping and the viewport.
struct ScreenVertex {
  float x = 0, y = 0;
  float z = 0;    // depth before bias; not clamped for transformed vertices
  float rhw = 1;  // never 0
  std::array<Float4, kVaryingCount> varyings = {};
  float fog = 1;
  float point_size = 1;
};

// VertexOutputs::texcoord_components where PROJECTED divides by w: after vertex shaders and vertices that are transformed here.
inline constexpr uint32_t kDivisorInW = 5;

// Where the factor of fog comes from that is not that of a table (2.7).
enum class FogFactorSource : uint32_t {
  kNothing,        // specular alpha, and there is none: 0
  kShader,         // oFog
  kElement,        // FOG of the vertices
  kSpecularAlpha,  // of the vertices, of lighting, or of oD1
  kEquation,       // FOGVERTEXMODE
};

// What the vertex side hands to the pixel side for a draw.
struct VertexOutputs {
  uint32_t varying_mask = 0;  // bit s: slot s is written and read; the others are not interpolated
  // Reserved for shader modifiers: all slots are perspective-correct.
  uint32_t perspective_mask = 0xFFF;
  uint32_t wrap[8] = {};  // D3DWRAPCOORD bits that act on slot kTexcoordSlot + stage (3.2)
  // How many components the coordinates of a stage have in transformed vertices: 0 to 4; else kDivisorInW.
  uint32_t texcoord_components[8] = {};
  // Diffuse and specular are clamped to [0, 1] after interpolation; not with 3.0 shaders.
  bool clamps_colors = true;
  bool is_transformed = false;  // XYZRHW: clip z per pixel while depth testing (1.7)
  bool has_point_size = false;
  bool table_fog_uses_w = false;  // 2.7
  FogFactorSource fog_factor = FogFactorSource::kNothing;
};

}  // namespace dp2trace::raster
