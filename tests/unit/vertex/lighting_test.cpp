#include "vertex/lighting.h"

#include <doctest/doctest.h>

#include "base/transcendental.h"
#include "d3d/enums.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::LightType;

// A vertex in the origin that faces the viewer at (0, 0, -1).
struct Lit {
  LightingState state;
  d3d::Material material;
  std::vector<d3d::Light> lights;
  Matrix world = kIdentity;
  Float3 position = {}, normal = {0, 0, -1};
  std::optional<Float4> diffuse, specular;

  d3d::Light& AddLight(LightType type) {
    lights.push_back({.type = d3d::Value(type),
                      .diffuse = {0.5F, 0.25F, 1, 1},
                      .specular = {1, 1, 1, 1},
                      .range = 100,
                      .attenuation0 = 1});
    return lights.back();
  }
  VertexColors Colors() const {
    return Lighting(state, material, lights, world, kIdentity)
        .Apply(position, normal, diffuse, specular);
  }
  Float4 Diffuse() const { return Colors().diffuse; }
  Float4 Specular() const { return Colors().specular; }
};

}  // namespace

TEST_CASE(
    "Lighting: no light gives black, a light without data is directional white (facts L2, L4)") {
  Lit vertex;
  CHECK(vertex.Diffuse() == Float4{0, 0, 0, 1});
  vertex.lights.emplace_back();
  CHECK(vertex.Diffuse() == Float4{1, 1, 1, 1});
}

TEST_CASE("Lighting: types without a definition do not shine") {
  Lit vertex;
  vertex.AddLight(LightType::Directional).type = 0;
  vertex.AddLight(LightType::Directional).type = 5;
  CHECK(vertex.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: vertices without a normal are unlit") {
  Lit vertex;
  vertex.normal = {};
  vertex.lights.emplace_back();
  CHECK(vertex.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: directional light by the cosine, nothing from behind") {
  Lit vertex;
  d3d::Light& light = vertex.AddLight(LightType::Directional);
  light.direction = {0, 3, 4};  // towards the light: (0, -0.6, -0.8)
  const Float4 lit = vertex.Diffuse();
  CHECK(lit[0] == doctest::Approx(0.4));
  CHECK(lit[1] == doctest::Approx(0.2));
  CHECK(lit[2] == doctest::Approx(0.8));
  light.direction = {0, 0, -1};
  CHECK(vertex.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: ambient terms and emission") {
  Lit vertex;
  vertex.AddLight(LightType::Directional).diffuse = {};
  vertex.lights[0].ambient = {0.5F, 0, 0, 0};
  vertex.state.ambient = FromColor(0xFF0000FFU);
  vertex.material.ambient = {0.5F, 1, 0.5F, 0};
  vertex.material.emissive = {0.25F, 0.125F, 0, 0};
  CHECK(vertex.Diffuse() == Float4{0.5F, 0.125F, 0.5F, 1});
}

TEST_CASE("Lighting: attenuation and range of a point light") {
  Lit vertex;
  d3d::Light& light = vertex.AddLight(LightType::Point);
  light.position = {0, 0, -2};
  light.attenuation0 = 0;
  light.attenuation1 = 1;
  light.attenuation2 = 0.5F;  // 1 / (1 * 2 + 0.5 * 4) = 1/4
  CHECK(vertex.Diffuse() == Float4{0.125F, 0.0625F, 0.25F, 1});
  light.range = 1.5F;
  CHECK(vertex.Diffuse() == Float4{0, 0, 0, 1});
  light.range = 2;
  light.attenuation1 = light.attenuation2 = 0;  // denominator 0
  CHECK(vertex.Diffuse() == Float4{1, 1, 1, 1});
  light.position = {0, 0, 0};  // in the vertex: no direction
  CHECK(vertex.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: Direct3D 6 attenuates by the way that is left to the range") {
  Lit vertex;
  vertex.state.model = LightingModel::kDirect3d6;
  d3d::Light& light = vertex.AddLight(LightType::Point);
  light.position = {0, 0, -25};
  light.attenuation0 = 0.125F;
  light.attenuation1 = 0.25F;
  light.attenuation2 = 0.5F;
  CHECK(vertex.Diffuse()[2] == doctest::Approx(0.125 + 0.25 * 0.75 + 0.5 * 0.75 * 0.75));
  light.attenuation0 = 5;
  CHECK(vertex.Diffuse()[2] == 1.0F);
  light.attenuation0 = -5;
  CHECK(vertex.Diffuse()[2] == 0.0F);
  light = {.type = light.type, .diffuse = {1, 1, 1, 1}, .attenuation0 = 1};  // all at the light
  CHECK(vertex.Diffuse()[2] == 0.0F);
  light.position = {0, 0, -101};
  light.range = 100;
  CHECK(vertex.Diffuse()[2] == 0.0F);
}

TEST_CASE("Lighting: a material of power 0 has no highlight in Direct3D 6, else a full one") {
  Lit vertex;
  vertex.AddLight(LightType::Directional).direction = {0, 0, 1};
  vertex.material.specular = {1, 1, 1, 1};
  vertex.material.power = 0;
  vertex.state.has_specular = true;
  vertex.state.specular_source = 0;
  CHECK(vertex.Specular()[0] == 1.0F);
  vertex.state.model = LightingModel::kDirect3d6;
  CHECK(vertex.Specular()[0] == 0.0F);
  vertex.material.power = 1;
  CHECK(vertex.Specular()[0] == 1.0F);
}

TEST_CASE("Lighting: spot light cones") {
  Lit vertex;
  d3d::Light& light = vertex.AddLight(LightType::Spot);
  light.position = {0, 0, -2};
  light.direction = {0, 0, 1};
  light.theta = 0.5F;
  light.phi = 1;
  light.falloff = 1;
  CHECK(vertex.Diffuse() == Float4{0.5F, 0.25F, 1, 1});
  light.direction = {0, 1, 1};  // 45 degrees off: outside of 0.5 rad
  CHECK(vertex.Diffuse() == Float4{0, 0, 0, 1});
  light.phi = 3;  // rho = sqrt(1/2)
  const auto outer = double{Cos(1.5F)};
  const double expected = (0.70710678 - outer) / (double{Cos(0.25F)} - outer);
  CHECK(vertex.Diffuse()[2] == doctest::Approx(expected));
  light.theta = light.phi = 3;
  CHECK(vertex.Diffuse()[2] == 1);
}

TEST_CASE("Lighting: a parallel point light shines from its position to the origin of the model") {
  Lit vertex;
  d3d::Light& light = vertex.AddLight(LightType::ParallelPoint);
  light.position = {5, 0, -7};
  vertex.world[12] = 5;
  CHECK(vertex.Diffuse() == Float4{0.5F, 0.25F, 1, 1});
}

TEST_CASE(
    "Lighting: specular needs SPECULARENABLE and a lit front, power 0 is full strength (facts L17, L18)") {
  Lit vertex;
  d3d::Light& light = vertex.AddLight(LightType::Directional);
  vertex.material.specular = {0.5F, 1, 0.25F, 0.75F};
  CHECK(vertex.Specular() == Float4{0, 0, 0, 0.75F});
  vertex.state.has_specular = true;
  CHECK(vertex.Specular() == Float4{0.5F, 1, 0.25F, 0.75F});
  light.direction = {0, 0, -1};
  CHECK(vertex.Specular() == Float4{0, 0, 0, 0.75F});
}

TEST_CASE("Lighting: the half vector of a distant viewer and of the eye") {
  Lit vertex;
  vertex.position = {3, 0, 4};
  vertex.AddLight(LightType::Directional);
  vertex.material.specular = {1, 1, 1, 1};
  vertex.material.power = 2;
  vertex.state.has_specular = true;
  // Eye direction (-0.6, 0, -0.8), light (0, 0, -1): N.H squared = 1.8^2 / (0.36 + 3.24) = 0.9.
  CHECK(vertex.Specular()[0] == doctest::Approx(0.9));
  vertex.state.is_local_viewer = false;
  CHECK(vertex.Specular()[0] == 1);
}

TEST_CASE("Lighting: material sources (2.6)") {
  Lit vertex;
  vertex.diffuse = FromColor(0x80FF0000U);
  vertex.specular = FromColor(0x4000FF00U);
  vertex.AddLight(LightType::Directional).diffuse = {1, 1, 1, 0};
  vertex.material.diffuse = {0, 0, 1, 0.25F};
  CHECK(vertex.Diffuse() == Float4{1, 0, 0, FromColor(0x80000000)[3]});
  CHECK(vertex.Specular()[3] == FromColor(0x40000000)[3]);
  vertex.state.diffuse_source = 2;
  CHECK(vertex.Diffuse() == Float4{0, 1, 0, FromColor(0x40000000)[3]});
  vertex.state.uses_vertex_colors = false;
  CHECK(vertex.Diffuse() == Float4{0, 0, 1, 0.25F});

  Lit bare;  // a format without colours: the material, whatever the source
  bare.AddLight(LightType::Directional).diffuse = {1, 1, 1, 0};
  bare.material.diffuse = {0, 0, 1, 0.25F};
  CHECK(bare.Diffuse() == Float4{0, 0, 1, 0.25F});
}
