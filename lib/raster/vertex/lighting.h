// Lights and materials: the colours of a lit vertex.
// Source: rendering specification, 2.5 and 2.6.
#pragma once

#include <optional>
#include <vector>

#include "device/state.h"
#include "raster/vertex/transform.h"

namespace dp2trace::raster {

struct VertexColors {
  Float4 diffuse = {1, 1, 1, 1};
  Float4 specular = {};
};

class Lighting {
 public:
  // Takes the enabled lights of the state, in ascending index order, to eye space.
  explicit Lighting(const device::State& state);

  size_t light_count() const { return lights_.size(); }

  // Position and normal in eye space; the colours of the vertex where its format has them.
  VertexColors Apply(const Float3& position, const Float3& normal,
                     const std::optional<Float4>& diffuse,
                     const std::optional<Float4>& specular) const;

 private:
  struct EyeLight {
    const device::Light* light;
    Float3 position = {};              // of the light; parallel point: direction towards the light
    Float3 direction = {};             // normalized, as the light shines
    float cos_theta = 0, cos_phi = 0;  // of the half angles
  };
  struct Incidence {
    Float3 direction = {};  // towards the light
    float attenuation = 1;
  };
  struct Sums {
    Float3 diffuse = {}, specular = {}, ambient = {};
  };

  EyeLight ToEye(const device::Light& light) const;
  static Incidence IncidenceOf(const EyeLight& light, const Float3& position);
  void Add(const EyeLight& light, const Float3& position, const Float3& normal, Sums& sums) const;

  const device::State* state_;
  std::vector<EyeLight> lights_;
  bool has_specular_ = false;
  bool is_local_viewer_ = true;
};

}  // namespace dp2trace::raster
