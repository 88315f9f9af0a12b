// Lights and materials: the colours of a lit vertex. Source: lib/raster/rendering-geometry.md 2.5 and 2.6.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "d3d/light.h"
#include "vertex/math.h"

namespace dp2trace::vertex {

// Whose lights and materials. Observed: with kDirect3d6 a material whose power is 0 has no highlight.
enum class LightingModel : uint8_t {
  kDirect3d7,
  kDirect3d6,  // and before: attenuation as in "Light Attenuation Over Distance", DirectX 6 documentation
};

// What the render states say about lighting.
struct LightingState {
  LightingModel model = LightingModel::kDirect3d7;
  Float4 ambient = {};             // AMBIENT
  bool has_specular = false;       // SPECULARENABLE
  bool is_local_viewer = true;     // LOCALVIEWER
  bool uses_vertex_colors = true;  // COLORVERTEX
  // D3DMATERIALCOLORSOURCE of each colour.
  uint32_t diffuse_source = 1, specular_source = 2, ambient_source = 0, emissive_source = 0;
};

struct VertexColors {
  Float4 diffuse = {1, 1, 1, 1};
  Float4 specular = {};
};

// A light in eye space.
struct EyeLight {
  uint32_t type = 0;  // D3DLIGHTTYPE
  Float3 diffuse = {}, specular = {}, ambient = {};
  Float3 position = {};   // of the light; parallel point: direction towards the light
  Float3 direction = {};  // normalized, as the light shines
  float range = 0, falloff = 0;
  Float3 attenuation = {};
  float cos_theta = 0, cos_phi = 0;  // of the half angles
};

class Lighting {
 public:
  // Takes the lights, which are the enabled ones in ascending index order, to eye space. `world`: of world matrix 0.
  // Lights of types without a definition do not shine.
  Lighting(const LightingState& state, const d3d::Material& material,
           std::span<const d3d::Light> lights, const Matrix& world, const Matrix& view);

  const LightingState& state() const { return state_; }
  const d3d::Material& material() const { return material_; }
  const std::vector<EyeLight>& lights() const { return lights_; }

  // Position and normal in eye space; the colours of the vertex where its format has them.
  VertexColors Apply(const Float3& position, const Float3& normal,
                     const std::optional<Float4>& diffuse,
                     const std::optional<Float4>& specular) const;

 private:
  struct Incidence {
    Float3 direction = {};  // towards the light
    float attenuation = 1;
  };
  struct Sums {
    Float3 diffuse = {}, specular = {}, ambient = {};
  };

  Incidence IncidenceOf(const EyeLight& light, const Float3& position) const;
  void Add(const EyeLight& light, const Float3& position, const Float3& normal, Sums& sums) const;
  const Float4& MaterialColor(uint32_t source, const Float4& material,
                              const std::optional<Float4>& diffuse,
                              const std::optional<Float4>& specular) const;

  LightingState state_;
  d3d::Material material_;
  std::vector<EyeLight> lights_;
};

}  // namespace dp2trace::vertex
