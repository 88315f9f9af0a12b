// D3DMATERIAL7 and D3DLIGHT7: what the fixed function lights with, with the values that hold before any token.
// Source: lib/opcode/dp2.md 10.
#pragma once

#include <array>
#include <cstdint>

namespace dp2trace::d3d {

// Colours are red, green, blue, alpha.
struct Material {
  std::array<float, 4> diffuse = {1, 1, 1, 1};
  std::array<float, 4> ambient = {};
  std::array<float, 4> specular = {};
  std::array<float, 4> emissive = {};
  float power = 0;
  bool operator==(const Material&) const = default;
};
static_assert(sizeof(Material) == 68, "the words of D3DMATERIAL7");

// Directional, diffuse (1, 1, 1, 0), direction (0, 0, 1).
struct Light {
  uint32_t type = 3;  // D3DLIGHTTYPE
  std::array<float, 4> diffuse = {1, 1, 1, 0};
  std::array<float, 4> specular = {};
  std::array<float, 4> ambient = {};
  std::array<float, 3> position = {};
  std::array<float, 3> direction = {0, 0, 1};
  float range = 0, falloff = 0;
  float attenuation0 = 0, attenuation1 = 0, attenuation2 = 0;
  float theta = 0, phi = 0;  // radians
  bool operator==(const Light&) const = default;
};
static_assert(sizeof(Light) == 104, "the words of D3DLIGHT7");

}  // namespace dp2trace::d3d
