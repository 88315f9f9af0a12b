// What of the state reaches vertex/lighting.h, and which vertices are lit.
#include <doctest/doctest.h>

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
    "Fixed function lighting: no light gives black, an enabled light without data is directional white (facts L2, L4)") {
  Lit scene;
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
  scene.context.state.lights[3].is_enabled = true;
  CHECK(scene.Diffuse() == Float4{1, 1, 1, 1});
  scene.context.state.lights[3].is_enabled = false;
  CHECK(scene.Diffuse() == Float4{0, 0, 0, 1});
}

TEST_CASE("Fixed function lighting: vertices without a normal are unlit") {
  Scene scene(fvf::kXyz);
  scene.Floats({0, 0, 0});
  scene.Set(RenderState::Lighting, 1);
  scene.context.state.lights[0].is_enabled = true;
  CHECK(scene.Processed().varyings[kDiffuseSlot] == Float4{0, 0, 0, 1});
}

TEST_CASE("Fixed function lighting: ambient terms and emission") {
  Lit scene;
  scene.AddLight(LightType::Directional).diffuse = {};
  scene.context.state.lights[0].ambient = {0.5F, 0, 0, 0};
  scene.Set(RenderState::Ambient, 0xFF0000FFU);
  scene.context.state.material.ambient = {0.5F, 1, 0.5F, 0};
  scene.context.state.material.emissive = {0.25F, 0.125F, 0, 0};
  CHECK(scene.Diffuse() == Float4{0.5F, 0.125F, 0.5F, 1});
}

TEST_CASE(
    "Fixed function lighting: specular needs SPECULARENABLE and a lit front, power 0 is full strength (facts L17, L18)") {
  Lit scene;
  device::Light& light = scene.AddLight(LightType::Directional);
  scene.context.state.material.specular = {0.5F, 1, 0.25F, 0.75F};
  CHECK(scene.Specular() == Float4{0, 0, 0, 0.75F});
  scene.Set(RenderState::SpecularEnable, 1);
  CHECK(scene.Specular() == Float4{0.5F, 1, 0.25F, 0.75F});
  light.direction = {0, 0, -1};
  CHECK(scene.Specular() == Float4{0, 0, 0, 0.75F});
}

TEST_CASE("Fixed function lighting: material sources (2.6)") {
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
