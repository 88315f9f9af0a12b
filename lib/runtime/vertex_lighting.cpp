#include "runtime/vertex_lighting.h"

#include <algorithm>
#include <bit>
#include <cfloat>

#include "base/transcendental.h"
#include "image/rounding.h"
#include "runtime/vertex_reader.h"

namespace dp2trace::runtime {
namespace {

using d3d::LightType;
using d3d::RenderState;

// Members of D3DMATERIAL7 and D3DLIGHT7, in words.
constexpr size_t kMaterialDiffuse = 0, kMaterialAmbient = 4, kMaterialSpecular = 8,
                 kMaterialEmissive = 12, kMaterialPower = 16;
constexpr size_t kLightDiffuse = 1, kLightSpecular = 5, kLightAmbient = 9, kLightPosition = 13,
                 kLightDirection = 16, kLightRange = 19;
constexpr size_t kLightFalloff = 20, kLightAttenuation = 21, kLightTheta = 24, kLightPhi = 25;

float SpotFactor(float rho, float cos_theta, float cos_phi, float falloff) {
  if (rho > cos_theta) return 1;
  if (rho <= cos_phi) return 0;
  return Pow((rho - cos_phi) / (cos_theta - cos_phi), falloff);
}

}  // namespace

VertexLighting::VertexLighting(const VertexState& state)
    : state_(&state),
      power_(std::bit_cast<float>(state.material[kMaterialPower])),
      has_specular_(state.render_state(RenderState::SpecularEnable) != 0),
      is_local_viewer_(state.render_state(RenderState::LocalViewer) != 0) {
  for (const std::array<uint32_t, 26>& words : state.lights) {
    // Unspecified: types without a definition; chosen: no light.
    if (words[0] >= d3d::Value(LightType::Point) &&
        words[0] <= d3d::Value(LightType::ParallelPoint))
      lights_.push_back(ToEye(words));
  }
}

VertexLighting::Light VertexLighting::ToEye(const std::array<uint32_t, 26>& words) const {
  const auto real = [&](size_t at) { return std::bit_cast<float>(words[at]); };
  const auto three = [&](size_t at) { return Float3{real(at), real(at + 1), real(at + 2)}; };
  const Float4x4 view = state_->transform(d3d::Value(d3d::TransformState::View));
  Light light{.type = words[0],
              .diffuse = three(kLightDiffuse),
              .specular = three(kLightSpecular),
              .ambient = three(kLightAmbient)};
  light.position = FirstThree(Transform(
      {real(kLightPosition), real(kLightPosition + 1), real(kLightPosition + 2), 1}, view));
  light.direction = Normalize(TransformDirection(three(kLightDirection), view));
  if (light.type == d3d::Value(LightType::ParallelPoint)) {
    const Float4x4 world = state_->transform(d3d::Value(d3d::TransformState::WorldMatrix0));
    const Float4 origin = Transform({world[12], world[13], world[14], world[15]}, view);
    light.position = Normalize(Subtract(light.position, FirstThree(origin)));
  }
  light.range = real(kLightRange);
  light.falloff = real(kLightFalloff);
  light.attenuation = three(kLightAttenuation);
  light.cos_theta = Cos(real(kLightTheta) * 0.5F);
  light.cos_phi = Cos(real(kLightPhi) * 0.5F);
  return light;
}

VertexLighting::Incidence VertexLighting::IncidenceOf(const Light& light, const Float3& position) {
  if (light.type == d3d::Value(LightType::Directional)) return {Negate(light.direction), 1};
  if (light.type == d3d::Value(LightType::ParallelPoint)) return {light.position, 1};
  const Float3 to_light = Subtract(light.position, position);
  const float d = std::sqrt(Dot(to_light, to_light));
  Incidence result;
  if (d != 0) result.direction = {to_light[0] / d, to_light[1] / d, to_light[2] / d};
  const float denominator =
      light.attenuation[0] + light.attenuation[1] * d + light.attenuation[2] * d * d;
  result.attenuation = d > light.range ? 0 : denominator == 0 ? FLT_MAX : 1.0F / denominator;
  if (light.type == d3d::Value(LightType::Spot)) {
    const float rho = Dot(light.direction, Negate(result.direction));
    result.attenuation =
        result.attenuation * SpotFactor(rho, light.cos_theta, light.cos_phi, light.falloff);
  }
  return result;
}

void VertexLighting::Add(const Light& light, const Float3& position, const Float3& normal,
                         Sums& sums) const {
  const Incidence incidence = IncidenceOf(light, position);
  for (size_t i = 0; i < 3; ++i)
    sums.ambient[i] = sums.ambient[i] + light.ambient[i] * incidence.attenuation;
  const float nl = Dot(normal, incidence.direction);
  if (!(nl > 0)) return;
  for (size_t i = 0; i < 3; ++i)
    sums.diffuse[i] = sums.diffuse[i] + light.diffuse[i] * (nl * incidence.attenuation);
  if (!has_specular_) return;
  const Float3 viewer = is_local_viewer_ ? Normalize(Negate(position)) : Float3{0, 0, -1};
  const Float3 half =
      Normalize({viewer[0] + incidence.direction[0], viewer[1] + incidence.direction[1],
                 viewer[2] + incidence.direction[2]});
  const float nh = Dot(normal, half);
  if (!(nh > 0)) return;
  const float shine = Pow(nh, power_) * incidence.attenuation;
  for (size_t i = 0; i < 3; ++i)
    sums.specular[i] = sums.specular[i] + light.specular[i] * shine;
}

// Where the colour of a material comes from: 2.6.
Float4 VertexLighting::MaterialColor(RenderState source, size_t member,
                                     const std::optional<Float4>& diffuse,
                                     const std::optional<Float4>& specular) const {
  const auto real = [&](size_t i) { return std::bit_cast<float>(state_->material[member + i]); };
  const Float4 material = {real(0), real(1), real(2), real(3)};
  if (state_->render_state(RenderState::ColorVertex) == 0) return material;
  const uint32_t number = state_->render_state(source);
  if (number == d3d::Value(d3d::MaterialColorSource::Color1)) return diffuse.value_or(material);
  if (number == d3d::Value(d3d::MaterialColorSource::Color2)) return specular.value_or(material);
  return material;
}

LitColors VertexLighting::Apply(const Float3& position, const Float3& normal,
                                const std::optional<Float4>& diffuse,
                                const std::optional<Float4>& specular) const {
  Sums sums;
  sums.ambient = FirstThree(ColorFrom(state_->render_state(RenderState::Ambient)));
  for (const Light& light : lights_)
    Add(light, position, normal, sums);
  const auto color = [&](RenderState source, size_t member) {
    return MaterialColor(source, member, diffuse, specular);
  };
  const Float4 md = color(RenderState::DiffuseMaterialSource, kMaterialDiffuse);
  const Float4 ms = color(RenderState::SpecularMaterialSource, kMaterialSpecular);
  const Float4 ma = color(RenderState::AmbientMaterialSource, kMaterialAmbient);
  const Float4 me = color(RenderState::EmissiveMaterialSource, kMaterialEmissive);
  LitColors result;
  for (size_t i = 0; i < 3; ++i) {
    result.diffuse[i] =
        image::Saturate((me[i] + ma[i] * sums.ambient[i]) + md[i] * sums.diffuse[i]);
    result.specular[i] = has_specular_ ? image::Saturate(ms[i] * sums.specular[i]) : 0.0F;
  }
  result.diffuse[3] = image::Saturate(md[3]);
  result.specular[3] = image::Saturate(ms[3]);
  return result;
}

}  // namespace dp2trace::runtime
