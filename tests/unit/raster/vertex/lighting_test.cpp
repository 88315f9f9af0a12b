#include "raster/vertex/lighting.h"

#include <doctest/doctest.h>

#include "base/transcendental.h"
#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::LightType;
using d3d::RenderState;
namespace fvf = d3d::fvf;

// A vertex in the origin that faces the viewer at (0, 0, -1).
struct Lit : Scene {
  explicit Lit(uint32_t colors = 0) : Scene(fvf::kXyz | fvf::kNormal | colors) {
    Floats({0, 0, 0, 0, 0, -1});
    Set(RenderState::Lighting, 1);
  }
  device::Light& AddLight(LightType type, uint32_t index = 0) {
    device::Light& light = context.state.lights[index];
    light.is_enabled = true;
    light.type = d3d::Value(type);
    light.diffuse = {0.5F, 0.25F, 1, 1};
    light.specular = {1, 1, 1, 1};
    light.range = 100;
    light.attenuation0 = 1;
    return light;
  }
  Float4 Diffuse() const { return Processed().varyings[kDiffuseSlot]; }
  Float4 Specular() const { return Processed().varyings[kSpecularSlot]; }
};

}  // namespace

TEST_CASE(
    "Lighting: no light gives black, an enabled light without data is directional white (facts L2, L4)") {
  Lit scene;
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
  scene.context.state.lights[3].is_enabled = true;
  CHECK(scene.Diffuse() == Float4{1, 1, 1, 1});
  scene.context.state.lights[3].is_enabled = false;
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: vertices without a normal are unlit") {
  Scene scene(fvf::kXyz);
  scene.Floats({0, 0, 0});
  scene.Set(RenderState::Lighting, 1);
  scene.context.state.lights[0].is_enabled = true;
  CHECK(scene.Processed().varyings[kDiffuseSlot] == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: directional light by the cosine, nothing from behind") {
  Lit scene;
  device::Light& light = scene.AddLight(LightType::Directional);
  light.direction = {0, 3, 4};  // towards the light: (0, -0.6, -0.8)
  const Float4 lit = scene.Diffuse();
  CHECK(lit[0] == doctest::Approx(0.4));
  CHECK(lit[1] == doctest::Approx(0.2));
  CHECK(lit[2] == doctest::Approx(0.8));
  light.direction = {0, 0, -1};
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: ambient terms and emission") {
  Lit scene;
  scene.AddLight(LightType::Directional).diffuse = {};
  scene.context.state.lights[0].ambient = {0.5F, 0, 0, 0};
  scene.Set(RenderState::Ambient, 0xFF0000FFU);
  scene.context.state.material.ambient = {0.5F, 1, 0.5F, 0};
  scene.context.state.material.emissive = {0.25F, 0.125F, 0, 0};
  CHECK(scene.Diffuse() == Float4{0.5F, 0.125F, 0.5F, 1});
}

TEST_CASE("Lighting: attenuation and range of a point light") {
  Lit scene;
  device::Light& light = scene.AddLight(LightType::Point);
  light.position = {0, 0, -2};
  light.attenuation0 = 0;
  light.attenuation1 = 1;
  light.attenuation2 = 0.5F;  // 1 / (1 * 2 + 0.5 * 4) = 1/4
  CHECK(scene.Diffuse() == Float4{0.125F, 0.0625F, 0.25F, 1});
  light.range = 1.5F;
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
  light.range = 2;
  light.attenuation1 = light.attenuation2 = 0;  // denominator 0
  CHECK(scene.Diffuse() == Float4{1, 1, 1, 1});
  light.position = {0, 0, 0};  // in the vertex: no direction
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Lighting: spot light cones") {
  Lit scene;
  device::Light& light = scene.AddLight(LightType::Spot);
  light.position = {0, 0, -2};
  light.direction = {0, 0, 1};
  light.theta = 0.5F;
  light.phi = 1;
  light.falloff = 1;
  CHECK(scene.Diffuse() == Float4{0.5F, 0.25F, 1, 1});
  light.direction = {0, 1, 1};  // 45 degrees off: outside of 0.5 rad
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
  light.phi = 3;  // rho = sqrt(1/2)
  const double outer = double{Cos(1.5F)};
  const double expected = (0.70710678 - outer) / (double{Cos(0.25F)} - outer);
  CHECK(scene.Diffuse()[2] == doctest::Approx(expected));
  light.theta = light.phi = 3;
  CHECK(scene.Diffuse()[2] == 1);
}

TEST_CASE("Lighting: a parallel point light shines from its position to the origin of the model") {
  Lit scene;
  device::Light& light = scene.AddLight(LightType::ParallelPoint);
  light.position = {5, 0, -7};
  scene.Transform(d3d::TransformState::WorldMatrix0) = {1, 0, 0, 0, 0, 1, 0, 0,
                                                        0, 0, 1, 0, 5, 0, 0, 1};
  CHECK(scene.Diffuse() == Float4{0.5F, 0.25F, 1, 1});
}

TEST_CASE(
    "Lighting: specular needs SPECULARENABLE and a lit front, power 0 is full strength (facts L17, L18)") {
  Lit scene;
  device::Light& light = scene.AddLight(LightType::Directional);
  scene.context.state.material.specular = {0.5F, 1, 0.25F, 0.75F};
  CHECK(scene.Specular() == Float4{0, 0, 0, 0.75F});
  scene.Set(RenderState::SpecularEnable, 1);
  CHECK(scene.Specular() == Float4{0.5F, 1, 0.25F, 0.75F});
  light.direction = {0, 0, -1};
  CHECK(scene.Specular() == Float4{0, 0, 0, 0.75F});
}

TEST_CASE("Lighting: the half vector of a distant viewer and of the eye") {
  Lit scene;
  scene.vertices.clear();
  scene.Floats({3, 0, 4, 0, 0, -1});
  scene.AddLight(LightType::Directional);
  scene.context.state.material.specular = {1, 1, 1, 1};
  scene.context.state.material.power = 2;
  scene.Set(RenderState::SpecularEnable, 1);
  // Eye direction (-0.6, 0, -0.8), light (0, 0, -1): N.H squared = 1.8^2 / (0.36 + 3.24) = 0.9.
  CHECK(scene.Specular()[0] == doctest::Approx(0.9));
  scene.Set(RenderState::LocalViewer, 0);
  CHECK(scene.Specular()[0] == 1);
}

TEST_CASE("Lighting: material sources (2.6)") {
  Lit scene(fvf::kDiffuse | fvf::kSpecular);
  scene.Word(0x80FF0000U).Word(0x4000FF00U);
  scene.AddLight(LightType::Directional).diffuse = {1, 1, 1, 0};
  scene.context.state.material.diffuse = {0, 0, 1, 0.25F};
  CHECK(scene.Diffuse() == Float4{1, 0, 0, FromColor(0x80000000)[3]});
  CHECK(scene.Specular()[3] == FromColor(0x40000000)[3]);
  scene.Set(RenderState::DiffuseMaterialSource, 2);
  CHECK(scene.Diffuse() == Float4{0, 1, 0, FromColor(0x40000000)[3]});
  scene.Set(RenderState::ColorVertex, 0);
  CHECK(scene.Diffuse() == Float4{0, 0, 1, 0.25F});

  Lit bare;  // a format without colours: the material, whatever the source
  bare.AddLight(LightType::Directional).diffuse = {1, 1, 1, 0};
  bare.context.state.material.diffuse = {0, 0, 1, 0.25F};
  CHECK(bare.Diffuse() == Float4{0, 0, 1, 0.25F});
}
