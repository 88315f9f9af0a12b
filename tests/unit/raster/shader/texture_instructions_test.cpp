// Texture instructions of all versions. Source: lib/raster/rendering-shaders.md 8.7 and 8.8; facts D4 to D9, V22.
#include <doctest/doctest.h>

#include <string>

#include "shader_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using Tss = d3d::TextureStageState;

namespace {

constexpr uint32_t kClamp = 3;

// 4 x 1 greys: 0x00, 0x40, 0x80, 0xC0; texel i answers to u in [i/4, (i+1)/4).
void BindRamp(ShaderScene& scene, uint32_t stage) {
  scene.Bind(stage, d3d::Format::L8, 4, 1, {0, 0x40, 0x80, 0xC0});
  scene.Set(stage, Tss::AddressU, kClamp);
  scene.Set(stage, Tss::AddressV, kClamp);
}
constexpr float kGrey1 = 64.0F / 255.0F, kGrey2 = 128.0F / 255.0F, kGrey3 = 192.0F / 255.0F;

}  // namespace

TEST_CASE("Textures: an unbound stage gives opaque black (fact V22)") {
  ShaderScene scene;
  CHECK(scene.Color("ps_1_1; tex t0; mov r0, t0") == Float4{0, 0, 0, 1});
  CHECK(scene.Color("ps_2_0; dcl t0; dcl_2d s3; texld r0, t0, s3; mov oC0, r0") ==
        Float4{0, 0, 0, 1});
}

TEST_CASE(
    "Textures: tex samples with the coordinates of its stage, projected where the stage says so") {
  ShaderScene scene;
  BindRamp(scene, 1);
  scene.SetVarying(kTexcoordSlot + 1, {1.5F, 0, 4, 2});
  CHECK(IsNear(scene.Color("ps_1_1; tex t1; mov r0, t1"), {kGrey3, kGrey3, kGrey3, 1}));
  scene.Set(1, Tss::TextureTransformFlags, 0x100 | 3);
  CHECK(IsNear(scene.Color("ps_1_1; tex t1; mov r0, t1"), {kGrey1, kGrey1, kGrey1, 1}));  // 1.5 / 4
  scene.Set(1, Tss::TextureTransformFlags, 0x100);
  CHECK(IsNear(scene.Color("ps_1_1; tex t1; mov r0, t1"), {kGrey3, kGrey3, kGrey3, 1}));  // 1.5 / 2
  // 1.4 knows no projection of the stage.
  CHECK(IsNear(scene.Color("ps_1_4; texld r1, t1; mov r0, r1"), {kGrey3, kGrey3, kGrey3, 1}));
  CHECK(
      IsNear(scene.Color("ps_1_4; texld r1, t1_dz.xyz; mov r0, r1"), {kGrey1, kGrey1, kGrey1, 1}));
}

TEST_CASE("Textures: texcoord is clamped and opaque, texcrd is neither") {
  ShaderScene scene;
  scene.SetVarying(kTexcoordSlot, {2, -1, 0.5F, 0.25F});
  CHECK(scene.Color("ps_1_1; texcoord t0; mov r0, t0") == Float4{1, 0, 0.5F, 1});
  CHECK(
      scene.Color("ps_1_4; def c0, 0, 0, 0, 1; mov r0, c0; texcrd r1.rgb, t0; mov_d2 r0.rgb, r1") ==
      Float4{1, 0, 0.25F, 1});
}

TEST_CASE(
    "Textures: texbem uses the matrix of its own stage, texbeml scales all components (facts D4, D5)") {
  ShaderScene scene;
  scene.BindValue(0, {0.5F, 0.25F, 0.5F, 0});
  BindRamp(scene, 1);
  scene.SetVarying(kTexcoordSlot + 1, {0.125F, 0, 0, 1});
  CHECK(IsNear(scene.Color("ps_1_1; tex t0; texbem t1, t0; mov r0, t1"), {0, 0, 0, 1}));
  scene.SetReal(0, Tss::BumpEnvMat00, 100.0F);  // of the source stage: not used
  scene.SetReal(1, Tss::BumpEnvMat00, 0.5F);    // 0.125 + 0.5 * 0.5 = 0.375
  CHECK(IsNear(scene.Color("ps_1_1; tex t0; texbem t1, t0; mov r0, t1"),
               {kGrey1, kGrey1, kGrey1, 1}));
  scene.SetReal(1, Tss::BumpEnvMat10, 1.0F);  // + 0.25 = 0.625
  CHECK(IsNear(scene.Color("ps_1_1; tex t0; texbem t1, t0; mov r0, t1"),
               {kGrey2, kGrey2, kGrey2, 1}));
  scene.SetReal(1, Tss::BumpEnvLScale, 1.0F);
  scene.SetReal(1, Tss::BumpEnvLOffset, 0.25F);  // factor 0.75
  CHECK(IsNear(scene.Color("ps_1_1; tex t0; texbeml t1, t0; mov r0, t1"),
               {0.75F * kGrey2, 0.75F * kGrey2, 0.75F * kGrey2, 0.75F}));
}

TEST_CASE("Textures: bem of 1.4 uses the matrix of the destination's stage") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 0.5F, 0, 0});
  scene.SetReal(1, {0.5F, 1, 0, 0});
  scene.SetReal(2, Tss::BumpEnvMat00, 0.5F);
  scene.SetReal(2, Tss::BumpEnvMat01, 0.25F);
  scene.SetReal(2, Tss::BumpEnvMat10, 0.25F);
  scene.SetReal(2, Tss::BumpEnvMat11, -0.5F);
  // .25 + .5*.5 + .25*1 = .75; .5 + .25*.5 - .5*1 = .125
  CHECK(scene.Color("ps_1_4; mov r1, c1; bem r2.rg, c0, r1; mov r0, r2") ==
        Float4{0.75F, 0.125F, 0, 0});
}

TEST_CASE("Textures: components of one texture as coordinates of the next") {
  ShaderScene scene;
  scene.BindValue(0, {0.3F, 0.6F, 0, 0.9F});
  BindRamp(scene, 1);
  CHECK(IsNear(scene.Color("ps_1_1; tex t0; texreg2ar t1, t0; mov r0, t1"),
               {kGrey3, kGrey3, kGrey3, 1}));
  CHECK(IsNear(scene.Color("ps_1_1; tex t0; texreg2gb t1, t0; mov r0, t1"),
               {kGrey2, kGrey2, kGrey2, 1}));
  CHECK(IsNear(scene.Color("ps_1_2; tex t0; texreg2rgb t1, t0; mov r0, t1"),
               {kGrey1, kGrey1, kGrey1, 1}));
}

TEST_CASE("Textures: texm3x2 makes two coordinates, or a depth") {
  ShaderScene scene;
  scene.BindValue(0, {0.5F, 1, 0, 0});
  BindRamp(scene, 2);
  scene.SetVarying(kTexcoordSlot + 1, {0.25F, 0.25F, 9, 9});  // 0.375
  scene.SetVarying(kTexcoordSlot + 2, {1, 0.25F, 9, 9});      // 0.75
  CHECK(IsNear(scene.Color("ps_1_1; tex t0; texm3x2pad t1, t0; texm3x2tex t2, t0; mov r0, t2"),
               {kGrey1, kGrey1, kGrey1, 1}));
  QuadColors colors =
      scene.Shade("ps_1_3; tex t0; texm3x2pad t1, t0; texm3x2depth t2, t0; mov r0, v0");
  CHECK(colors.writes_depth);
  CHECK(colors.depth[0] == 0.5F);
  scene.SetVarying(kTexcoordSlot + 2, {0, 0, 1, 0});
  CHECK(
      scene.Shade("ps_1_3; tex t0; texm3x2pad t1, t0; texm3x2depth t2, t0; mov r0, v0").depth[0] ==
      1);
}

TEST_CASE("Textures: texm3x3 gives the three dot products, texm3x3tex samples with them") {
  ShaderScene scene;
  scene.BindValue(0, {0.5F, 0.25F, 1, 0});
  scene.SetVarying(kTexcoordSlot + 1, {1, 0, 0, 0});
  scene.SetVarying(kTexcoordSlot + 2, {0, 1, 0, 0});
  scene.SetVarying(kTexcoordSlot + 3, {0, 0, 1, 0});
  CHECK(scene.Color(
            "ps_1_2; tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0; texm3x3 t3, t0; mov r0, t3") ==
        Float4{0.5F, 0.25F, 1, 1});
  BindRamp(scene, 3);
  CHECK(IsNear(
      scene.Color(
          "ps_1_1; tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0; texm3x3tex t3, t0; mov r0, t3"),
      {kGrey2, kGrey2, kGrey2, 1}));
}

TEST_CASE(
    "Textures: reflections about the normal, eye from a constant or from the fourth coordinates") {
  ShaderScene scene;
  scene.BindValue(0, {1, 0.5F, 0, 0});  // N = (1, 0.5, 0), N.N = 1.25
  BindRamp(scene, 3);
  scene.SetVarying(kTexcoordSlot + 1, {1, 0, 0, 0.5F});
  scene.SetVarying(kTexcoordSlot + 2, {0, 1, 0, 0.5F});
  scene.SetVarying(kTexcoordSlot + 3, {0, 0, 1, 0});
  const std::string start = "ps_1_1; tex t0; texm3x3pad t1, t0; texm3x3pad t2, t0;";
  // E = (.5, .5, 0): N.E = .75, R = 1.2*N - E = (.7, .1, 0)
  CHECK(
      IsNear(scene.Color(start + "texm3x3vspec t3, t0; mov r0, t3"), {kGrey2, kGrey2, kGrey2, 1}));
  // E = (0, 1, 0): N.E = .5, R = .8*N - E = (.8, -.6, 0)
  scene.SetReal(0, {0, 1, 0, 0});
  CHECK(IsNear(scene.Color(start + "texm3x3spec t3, t0, c0; mov r0, t3"),
               {kGrey3, kGrey3, kGrey3, 1}));
}

TEST_CASE("Textures: texdp3 and texdp3tex") {
  ShaderScene scene;
  scene.BindValue(0, {0.5F, 0.25F, 0.125F, 0});
  BindRamp(scene, 1);
  scene.SetVarying(kTexcoordSlot + 1, {0.5F, 1, 1, 9});  // .25 + .25 + .125
  CHECK(scene.Color("ps_1_2; tex t0; texdp3 t1, t0; mov r0, t1") ==
        Float4{0.625F, 0.625F, 0.625F, 0.625F});
  CHECK(IsNear(scene.Color("ps_1_2; tex t0; texdp3tex t1, t0; mov r0, t1"),
               {kGrey2, kGrey2, kGrey2, 1}));
}

TEST_CASE("Textures: texdepth divides r5.r by r5.g (facts D7 to D9)") {
  const std::array<std::array<float, 3>, 7> cases = {{{0.25F, 2, 0.25F},
                                                      {0.25F, 0.5F, 0.5F},
                                                      {-1, 0.1F, 0},
                                                      {-0.25F, -0.5F, 0.5F},
                                                      {1, -0.1F, 0},
                                                      {1, 0.5F, 1},
                                                      {0.5F, 0, 1}}};
  for (const auto& [r, g, depth] : cases) {
    const auto red = r;  // Clang 14 captures no structured bindings
    CAPTURE(red);
    const auto green = g;  // Clang 14 captures no structured bindings
    CAPTURE(green);
    ShaderScene scene;
    scene.SetReal(1, {r, g, 0, 0});
    const QuadColors colors = scene.Shade("ps_1_4; mov r5, c1; phase; texdepth r5; mov r0, c1");
    CHECK(colors.writes_depth);
    CHECK(colors.depth[2] == depth);
  }
}

TEST_CASE("Textures: texld 1.4 samples the stage of its destination with any register") {
  ShaderScene scene;
  scene.BindValue(0, {0.6F, 0, 0, 1});
  BindRamp(scene, 2);
  CHECK(IsNear(scene.Color("ps_1_4; texld r0, t0; phase; texld r2, r0; mov r0, r2"),
               {kGrey2, kGrey2, kGrey2, 0}, 1.0F));
  CHECK(IsNear(scene.Color("ps_1_4; texld r0, t0; phase; texld r2, r0; mov r0, r2"),
               {kGrey2, kGrey2, kGrey2, 1}));
}

TEST_CASE("Textures: texldp divides by w") {
  ShaderScene scene;
  BindRamp(scene, 0);
  scene.SetVarying(kTexcoordSlot, {1.5F, 0, 0, 4});
  CHECK(IsNear(scene.Color("ps_2_0; dcl t0; dcl_2d s0; texld r0, t0, s0; mov oC0, r0"),
               {kGrey3, kGrey3, kGrey3, 1}));
  CHECK(IsNear(scene.Color("ps_2_0; dcl t0; dcl_2d s0; texldp r0, t0, s0; mov oC0, r0"),
               {kGrey1, kGrey1, kGrey1, 1}));
}

TEST_CASE("Textures: bias, level and gradients choose the level") {
  ShaderScene scene;
  // 2 x 1 of grey 0x40 with a second level of 0xC0.
  trace::SurfaceCreate event;
  event.handle = 1;
  event.format = static_cast<uint32_t>(d3d::Format::L8);
  event.width = 2;
  event.height = 1;
  event.levels = 2;
  REQUIRE(scene.context().space->Create(event, {}).ok());
  scene.Set(0, Tss::TextureMap, 1);
  scene.Set(0, Tss::MipFilter, 1);
  image::Surface& surface = scene.context().Texture(0)->surface;
  const std::vector<uint8_t> greys = {0x40, 0x40, 0xC0};
  REQUIRE(surface.Update(0, 0, surface.WholeLevel(0), {.bytes = Bytes(greys).first(2)}).ok());
  REQUIRE(surface.Update(0, 1, surface.WholeLevel(1), {.bytes = Bytes(greys).last(1)}).ok());
  const auto grey = [&scene](std::string_view body) {
    return scene.Color(
        "ps_3_0; def c0, 0, 1, 0.25, 0; def c1, 0.25, 0.25, 0, 1; dcl_texcoord v0; dcl_2d s0;" +
        std::string(body) + "; mov oC0, r0")[0];
  };
  CHECK(grey("texldl r0, c0.x, s0") == doctest::Approx(kGrey1));
  CHECK(grey("texldl r0, c0.y, s0") == doctest::Approx(kGrey3));
  // Half a texel to the next pixel: lambda is -1, the bias of 2 makes it 1.
  scene.SetVaryings(kTexcoordSlot, Float4Quad{Float4{0, 0, 0, 2}, Float4{0.25F, 0, 0, 2},
                                              Float4{0, 0, 0, 2}, Float4{0.25F, 0, 0, 2}});
  CHECK(grey("texld r0, v0, s0") == doctest::Approx(kGrey1));
  CHECK(grey("texldb r0, v0, s0") == doctest::Approx(kGrey3));
  CHECK(grey("texldd r0, v0, s0, c0.x, c0.x") == doctest::Approx(kGrey1));
  CHECK(grey("texldd r0, v0, s0, c0.y, c0.x") == doctest::Approx(kGrey3));
}

TEST_CASE("Textures: the swizzle of the sampler acts on the result") {
  ShaderScene scene;
  scene.BindValue(1, {1, 2, 3, 4});
  CHECK(scene.Color("ps_3_0; dcl_texcoord v0; dcl_2d s1; texld r0, v0, s1.wzyx; mov oC0, r0") ==
        Float4{4, 3, 2, 1});
}

TEST_CASE("Textures: the colour key kills where the pixel executes the sample") {
  ShaderScene scene;
  scene.Bind(0, d3d::Format::X8R8G8B8, 1, 1, {0xFF, 0, 0xFF, 0});
  scene.context().Texture(0)->color_key = d3d::ColorKey{0xFF00FF, 0xFF00FF};
  scene.Set(d3d::RenderState::ColorKeyEnable, 1);
  CHECK(scene.Shade("ps_1_1; tex t0; mov r0, t0").killed == 0xF);
  scene.SetVaryings(kTexcoordSlot,
                    Float4Quad{Float4{1, 0, 0, 0}, Float4{}, Float4{}, Float4{1, 0, 0, 0}});
  CHECK(
      scene
          .Shade(
              "ps_3_0; def c0, 0.5, 0, 0, 0; dcl_texcoord v0; dcl_2d s0; mov r0, c0; if_gt v0.x, c0.x; texld r0, v0, s0; endif; mov oC0, r0")
          .killed == 9);
}

TEST_CASE("Textures: vertex shaders fetch exact texels of their own samplers (fact V27)") {
  ShaderScene scene;
  // Stage 257 is slot 17.
  scene.BindValue(*device::StageSlot(257), {0.125F, 2, -3, 4});
  CHECK(
      scene.Process("vs_3_0; def c0, 0.5, 0.5, 0, 0; dcl_texcoord o0; dcl_2d s0; texldl o0, c0, s0")
          .varyings[kTexcoordSlot] == Float4{0.125F, 2, -3, 4});
}
