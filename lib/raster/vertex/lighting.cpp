#include "raster/vertex/lighting.h"

#include <cfloat>
#include <cmath>

#include "base/transcendental.h"

namespace dp2trace::raster {
namespace {

using d3d::LightType;
using d3d::MaterialColorSource;
using d3d::RenderState;

constexpr Float3 kTowardsInfiniteViewer = {0, 0, -1};

Float3 Negate(const Float3& v) {
  return {-v[0], -v[1], -v[2]};
}

Float3 Subtract(const Float3& a, const Float3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

float DistanceAttenuation(const device::Light& light, float d) {
  if (d > light.range) return 0;
  const float denominator =
      light.attenuation0 + light.attenuation1 * d + light.attenuation2 * d * d;
  return denominator == 0 ? FLT_MAX : 1.0F / denominator;
}

float SpotFactor(float rho, float cos_theta, float cos_phi, float falloff) {
  if (rho > cos_theta) return 1;
  if (rho <= cos_phi) return 0;
  return Pow((rho - cos_phi) / (cos_theta - cos_phi), falloff);
}

// Where the colour of a material comes from: 2.6.
Float4 MaterialColor(const device::State& state, RenderState source_state, const Float4& material,
                     const std::optional<Float4>& diffuse, const std::optional<Float4>& specular) {
  if (state.value(RenderState::ColorVertex) == 0) return material;
  const uint32_t source = state.value(source_state);
  if (source == d3d::Value(MaterialColorSource::Color1)) return diffuse.value_or(material);
  if (source == d3d::Value(MaterialColorSource::Color2)) return specular.value_or(material);
  return material;
}

}  // namespace

Lighting::Lighting(const device::State& state)
    : state_(&state),
      has_specular_(state.value(RenderState::SpecularEnable) != 0),
      is_local_viewer_(state.value(RenderState::LocalViewer) != 0) {
  for (const auto& [index, light] : state.lights) {
    // Unspecified: types without a definition (GLSPOT, unknown numbers); chosen: no light.
    const bool is_known = light.type >= d3d::Value(LightType::Point) &&
                          light.type <= d3d::Value(LightType::ParallelPoint);
    if (light.is_enabled && is_known) lights_.push_back(ToEye(light));
  }
}

Lighting::EyeLight Lighting::ToEye(const device::Light& light) const {
  const device::Matrix& view = state_->transform(d3d::TransformState::View);
  EyeLight result{.light = &light};
  const Float4 position =
      Transform(Float4{light.position[0], light.position[1], light.position[2], 1}, view);
  result.position = {position[0], position[1], position[2]};
  result.direction = Normalize(TransformDirection(light.direction, view));
  if (light.type == d3d::Value(LightType::ParallelPoint)) {
    const device::Matrix& world = state_->transform(d3d::TransformState::WorldMatrix0);
    const Float4 origin = Transform(Float4{world[12], world[13], world[14], world[15]}, view);
    result.position = Normalize(Subtract(result.position, {origin[0], origin[1], origin[2]}));
  }
  result.cos_theta = Cos(light.theta * 0.5F);
  result.cos_phi = Cos(light.phi * 0.5F);
  return result;
}

Lighting::Incidence Lighting::IncidenceOf(const EyeLight& light, const Float3& position) {
  const uint32_t type = light.light->type;
  if (type == d3d::Value(LightType::Directional)) return {Negate(light.direction), 1};
  if (type == d3d::Value(LightType::ParallelPoint)) return {light.position, 1};
  const Float3 to_light = Subtract(light.position, position);
  const float d = std::sqrt(Dot(to_light, to_light));
  Incidence result;
  if (d != 0) result.direction = {to_light[0] / d, to_light[1] / d, to_light[2] / d};
  result.attenuation = DistanceAttenuation(*light.light, d);
  if (type == d3d::Value(LightType::Spot)) {
    const float rho = Dot(light.direction, Negate(result.direction));
    result.attenuation =
        result.attenuation * SpotFactor(rho, light.cos_theta, light.cos_phi, light.light->falloff);
  }
  return result;
}

void Lighting::Add(const EyeLight& light, const Float3& position, const Float3& normal,
                   Sums& sums) const {
  const Incidence incidence = IncidenceOf(light, position);
  const float attenuation = incidence.attenuation;
  for (size_t i = 0; i < 3; ++i) {
    sums.ambient[i] = sums.ambient[i] + light.light->ambient[i] * attenuation;
  }
  const float nl = Dot(normal, incidence.direction);
  if (!(nl > 0)) return;
  for (size_t i = 0; i < 3; ++i) {
    sums.diffuse[i] = sums.diffuse[i] + light.light->diffuse[i] * (nl * attenuation);
  }
  if (!has_specular_) return;
  const Float3 viewer = is_local_viewer_ ? Normalize(Negate(position)) : kTowardsInfiniteViewer;
  const Float3 half =
      Normalize({viewer[0] + incidence.direction[0], viewer[1] + incidence.direction[1],
                 viewer[2] + incidence.direction[2]});
  const float nh = Dot(normal, half);
  if (!(nh > 0)) return;
  const float shine = Pow(nh, state_->material.power) * attenuation;
  for (size_t i = 0; i < 3; ++i) {
    sums.specular[i] = sums.specular[i] + light.light->specular[i] * shine;
  }
}

VertexColors Lighting::Apply(const Float3& position, const Float3& normal,
                             const std::optional<Float4>& diffuse,
                             const std::optional<Float4>& specular) const {
  Sums sums;
  const Float4 global = FromColor(state_->value(RenderState::Ambient));
  sums.ambient = {global[0], global[1], global[2]};
  for (const EyeLight& light : lights_)
    Add(light, position, normal, sums);

  const auto color = [&](RenderState source, const Float4& material) {
    return MaterialColor(*state_, source, material, diffuse, specular);
  };
  const device::Material& material = state_->material;
  const Float4 md = color(RenderState::DiffuseMaterialSource, material.diffuse);
  const Float4 ms = color(RenderState::SpecularMaterialSource, material.specular);
  const Float4 ma = color(RenderState::AmbientMaterialSource, material.ambient);
  const Float4 me = color(RenderState::EmissiveMaterialSource, material.emissive);
  VertexColors result;
  for (size_t i = 0; i < 3; ++i) {
    result.diffuse[i] = Saturate((me[i] + ma[i] * sums.ambient[i]) + md[i] * sums.diffuse[i]);
    result.specular[i] = has_specular_ ? Saturate(ms[i] * sums.specular[i]) : 0.0F;
  }
  result.diffuse[3] = Saturate(md[3]);
  result.specular[3] = Saturate(ms[3]);
  return result;
}

}  // namespace dp2trace::raster
