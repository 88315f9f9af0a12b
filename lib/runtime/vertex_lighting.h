// Colours of vertices by the lights and the material of the fixed function.
// Source: rendering specification, 2.5 and 2.6.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "d3d/enums.h"
#include "d3d/states.h"
#include "runtime/vertex_math.h"

namespace dp2trace::runtime {

// What the runtime knows of the state, whatever interface set it: values by the numbers of the DDI.
struct VertexState {
  std::function<uint32_t(d3d::RenderState)> render_state;
  std::function<uint32_t(uint32_t, d3d::TextureStageState)> stage_state;
  std::function<Float4x4(uint32_t)> transform;  // by canonical number: world n is 256 + n
  std::array<uint32_t, 6> viewport =
      {};  // x, y, width, height, least and greatest z (floats as bits)
  std::array<uint32_t, 17> material = {};        // D3DMATERIAL7
  std::vector<std::array<uint32_t, 26>> lights;  // D3DLIGHT7, the enabled ones by ascending index
};

struct LitColors {
  Float4 diffuse = {1, 1, 1, 1};
  Float4 specular = {};
};

class VertexLighting {
 public:
  // The state outlives the object.
  explicit VertexLighting(const VertexState& state);
  // Position and normal in eye space; the colours of the vertex, where it has them.
  LitColors Apply(const Float3& position, const Float3& normal,
                  const std::optional<Float4>& diffuse,
                  const std::optional<Float4>& specular) const;

 private:
  struct Light {
    uint32_t type = 0;
    Float3 diffuse = {}, specular = {}, ambient = {};
    Float3 position = {}, direction = {};  // eye space
    float range = 0, falloff = 0;
    Float3 attenuation = {};
    float cos_theta = 0, cos_phi = 0;
  };
  struct Incidence {
    Float3 direction = {};  // towards the light
    float attenuation = 1;
  };
  struct Sums {
    Float3 ambient = {}, diffuse = {}, specular = {};
  };
  Light ToEye(const std::array<uint32_t, 26>& words) const;
  static Incidence IncidenceOf(const Light& light, const Float3& position);
  void Add(const Light& light, const Float3& position, const Float3& normal, Sums& sums) const;
  Float4 MaterialColor(d3d::RenderState source, size_t member, const std::optional<Float4>& diffuse,
                       const std::optional<Float4>& specular) const;

  const VertexState* state_;
  std::vector<Light> lights_;
  float power_ = 0;
  bool has_specular_ = false;
  bool is_local_viewer_ = false;
};

}  // namespace dp2trace::runtime
