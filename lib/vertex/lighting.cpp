#include "vertex/lighting.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "base/transcendental.h"
#include "d3d/enums.h"

namespace dp2trace::vertex {
namespace {

using d3d::LightType;
using d3d::MaterialColorSource;

constexpr Float3 kTowardsInfiniteViewer = {0, 0, -1};

// Unspecified: types without a definition (GLSPOT, unknown numbers); chosen: no light.
bool IsKnown(uint32_t type) {
  return type >= d3d::Value(LightType::Point) && type <= d3d::Value(LightType::ParallelPoint);
}

EyeLight ToEye(const d3d::Light& light, const Matrix& world, const Matrix& view) {
  EyeLight result{.type = light.type,
                  .diffuse = FirstThree(light.diffuse),
                  .specular = FirstThree(light.specular),
                  .ambient = FirstThree(light.ambient),
                  .range = light.range,
                  .falloff = light.falloff,
                  .attenuation = {light.attenuation0, light.attenuation1, light.attenuation2}};
  result.position = FirstThree(
      Transform(Float4{light.position[0], light.position[1], light.position[2], 1}, view));
  result.direction = Normalize(TransformDirection(light.direction, view));
  if (light.type == d3d::Value(LightType::ParallelPoint)) {
    const Float4 origin = Transform(Float4{world[12], world[13], world[14], world[15]}, view);
    result.position = Normalize(Subtract(result.position, FirstThree(origin)));
  }
  result.cos_theta = Cos(light.theta * 0.5F);
  result.cos_phi = Cos(light.phi * 0.5F);
  return result;
}

// Unspecified: results outside 0 to 1; chosen: clamped.
float LegacyAttenuation(const EyeLight& light, float d) {
  const float closeness = d == 0 ? 1 : 1 - d / light.range;  // 0 at the range
  const float sum = light.attenuation[0] + light.attenuation[1] * closeness +
                    light.attenuation[2] * (closeness * closeness);
  return std::clamp(sum, 0.0F, 1.0F);
}

float DistanceAttenuation(const EyeLight& light, float d, LightingModel model) {
  if (d > light.range) return 0;
  if (model == LightingModel::kDirect3d6) return LegacyAttenuation(light, d);
  const float denominator =
      light.attenuation[0] + light.attenuation[1] * d + light.attenuation[2] * d * d;
  return denominator == 0 ? FLT_MAX : 1.0F / denominator;
}

float SpotFactor(float rho, float cos_theta, float cos_phi, float falloff) {
  if (rho > cos_theta) return 1;
  if (rho <= cos_phi) return 0;
  return Pow((rho - cos_phi) / (cos_theta - cos_phi), falloff);
}

}  // namespace

Lighting::Lighting(const LightingState& state, const d3d::Material& material,
                   std::span<const d3d::Light> lights, const Matrix& world, const Matrix& view)
    : state_(state), material_(material) {
  if (state_.model == LightingModel::kDirect3d6 && material_.power == 0)
    state_.has_specular = false;
  for (const d3d::Light& light : lights) {
    if (IsKnown(light.type)) lights_.push_back(ToEye(light, world, view));
  }
}

Lighting::Incidence Lighting::IncidenceOf(const EyeLight& light, const Float3& position) const {
  if (light.type == d3d::Value(LightType::Directional)) return {Negate(light.direction), 1};
  if (light.type == d3d::Value(LightType::ParallelPoint)) return {light.position, 1};
  const Float3 to_light = Subtract(light.position, position);
  const float d = std::sqrt(Dot(to_light, to_light));
  Incidence result;
  if (d != 0) result.direction = {to_light[0] / d, to_light[1] / d, to_light[2] / d};
  result.attenuation = DistanceAttenuation(light, d, state_.model);
  if (light.type == d3d::Value(LightType::Spot)) {
    const float rho = Dot(light.direction, Negate(result.direction));
    result.attenuation =
        result.attenuation * SpotFactor(rho, light.cos_theta, light.cos_phi, light.falloff);
  }
  return result;
}

void Lighting::Add(const EyeLight& light, const Float3& position, const Float3& normal,
                   Sums& sums) const {
  const Incidence incidence = IncidenceOf(light, position);
  const float attenuation = incidence.attenuation;
  for (size_t i = 0; i < 3; ++i) {
    sums.ambient[i] = sums.ambient[i] + light.ambient[i] * attenuation;
  }
  const float nl = Dot(normal, incidence.direction);
  if (!(nl > 0)) return;
  for (size_t i = 0; i < 3; ++i) {
    sums.diffuse[i] = sums.diffuse[i] + light.diffuse[i] * (nl * attenuation);
  }
  if (!state_.has_specular) return;
  const Float3 viewer =
      state_.is_local_viewer ? Normalize(Negate(position)) : kTowardsInfiniteViewer;
  const Float3 half =
      Normalize({viewer[0] + incidence.direction[0], viewer[1] + incidence.direction[1],
                 viewer[2] + incidence.direction[2]});
  const float nh = Dot(normal, half);
  if (!(nh > 0)) return;
  const float shine = Pow(nh, material_.power) * attenuation;
  for (size_t i = 0; i < 3; ++i) {
    sums.specular[i] = sums.specular[i] + light.specular[i] * shine;
  }
}

// Where the colour of a material comes from: 2.6.
const Float4& Lighting::MaterialColor(uint32_t source, const Float4& material,
                                      const std::optional<Float4>& diffuse,
                                      const std::optional<Float4>& specular) const {
  if (!state_.uses_vertex_colors) return material;
  if (source == d3d::Value(MaterialColorSource::Color1) && diffuse) return *diffuse;
  if (source == d3d::Value(MaterialColorSource::Color2) && specular) return *specular;
  return material;
}

VertexColors Lighting::Apply(const Float3& position, const Float3& normal,
                             const std::optional<Float4>& diffuse,
                             const std::optional<Float4>& specular) const {
  Sums sums;
  sums.ambient = FirstThree(state_.ambient);
  for (const EyeLight& light : lights_)
    Add(light, position, normal, sums);

  const auto color = [&](uint32_t source, const Float4& material) {
    return MaterialColor(source, material, diffuse, specular);
  };
  const Float4 md = color(state_.diffuse_source, material_.diffuse);
  const Float4 ms = color(state_.specular_source, material_.specular);
  const Float4 ma = color(state_.ambient_source, material_.ambient);
  const Float4 me = color(state_.emissive_source, material_.emissive);
  VertexColors result;
  for (size_t i = 0; i < 3; ++i) {
    result.diffuse[i] = Saturate((me[i] + ma[i] * sums.ambient[i]) + md[i] * sums.diffuse[i]);
    result.specular[i] = state_.has_specular ? Saturate(ms[i] * sums.specular[i]) : 0.0F;
  }
  result.diffuse[3] = Saturate(md[3]);
  result.specular[3] = Saturate(ms[3]);
  return result;
}

}  // namespace dp2trace::vertex
