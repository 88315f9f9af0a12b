// Inputs and outputs of pixel shaders. Source: lib/raster/rendering-shaders.md 8.7 to 8.9.
#include <doctest/doctest.h>

#include "raster/shader/linkage.h"
#include "shader/decoder.h"
#include "shader_scene.h"
#include "support/shader_assembler.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Pixel shader: colours are clamped below 3.0 and not in 3.0") {
  ShaderScene scene;
  scene.SetVarying(kDiffuseSlot, {2, -1, 0.5F, 1});
  CHECK(scene.Color("ps_1_1; mov r0, v0") == Float4{1, 0, 0.5F, 1});
  CHECK(scene.Color("ps_2_0; dcl v0; mov oC0, v0") == Float4{1, 0, 0.5F, 1});
  CHECK(scene.Color("ps_3_0; dcl_color v3; mov oC0, v3") == Float4{2, -1, 0.5F, 1});
}

TEST_CASE("Pixel shader: the result of 1.x is in 0 to 1, that of later versions is not limited") {
  ShaderScene scene;
  scene.SetReal(0, {1, 1, -1, 0.5F});
  CHECK(scene.Color("ps_1_1; add r0, c0, c0") == Float4{1, 1, 0, 1});
  CHECK(scene.Color("ps_2_0; add r0, c0, c0; mov oC0, r0") == Float4{2, 2, -2, 1});
}

TEST_CASE("Pixel shader: inputs that the vertex side does not write (facts V23, V31)") {
  ShaderScene scene;
  scene.outputs().varying_mask = 0;
  CHECK(scene.Color("ps_1_1; mov r0, v0") == Float4{1, 1, 1, 1});
  CHECK(scene.Color("ps_1_1; mov r0, v1") == Float4{0, 0, 0, 0});
  CHECK(scene.Color("ps_1_1; texcoord t0; mov r0, t0") == Float4{0, 0, 0, 1});
  CHECK(scene.Color("ps_3_0; dcl_color v0; mov oC0, v0") == Float4{});
  CHECK(scene.Color("ps_3_0; dcl_texcoord4 v0; mov oC0, v0") == Float4{});
}

TEST_CASE("Pixel shader: inputs of 3.0 are found by semantic, several in one register") {
  ShaderScene scene;
  scene.SetVarying(kTexcoordSlot + 1, {1, 2, 3, 4});
  scene.SetVarying(kTexcoordSlot + 2, {5, 6, 7, 8});
  CHECK(scene.Color("ps_3_0; dcl_texcoord1 v0.xy; dcl_texcoord2 v0.zw; mov oC0, v0") ==
        Float4{1, 2, 7, 8});
}

TEST_CASE("Pixel shader: vPos is the pixel and vFace its side (facts V19, V20)") {
  ShaderScene scene;
  scene.quad().x = 10;
  scene.quad().y = 20;
  const QuadColors colors = scene.Shade("ps_3_0; dcl vPos.xy; mov oC0, vPos");
  CHECK(colors.colors[0][0] == Float4{10, 20, 0, 0});
  CHECK(colors.colors[0][3] == Float4{11, 21, 0, 0});
  CHECK(scene.Color("ps_3_0; dcl vFace; mov oC0, vFace.x")[0] == 1);
  scene.quad().is_front = false;
  CHECK(scene.Color("ps_3_0; dcl vFace; mov oC0, vFace.x")[0] == -1);
}

TEST_CASE("Pixel shader: several targets") {
  ShaderScene scene;
  scene.SetReal(0, {1, 2, 3, 4});
  const QuadColors colors = scene.Shade("ps_2_0; mov oC0, c0; mov oC2, c0.w");
  CHECK(colors.written_targets == 5);
  CHECK(colors.colors[2][1] == Float4{4, 4, 4, 4});
}

TEST_CASE("Pixel shader: oDepth is clamped and replaces the depth") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 2, -1, 1});
  QuadColors colors = scene.Shade("ps_2_0; mov oC0, c0; mov oDepth, c0.x");
  CHECK(colors.writes_depth);
  CHECK(colors.depth[3] == 0.25F);
  CHECK(scene.Shade("ps_2_0; mov oC0, c0; mov oDepth, c0.y").depth[0] == 1);
  CHECK(scene.Shade("ps_2_0; mov oC0, c0; mov oDepth, c0.z").depth[0] == 0);
  CHECK_FALSE(scene.Shade("ps_2_0; mov oC0, c0").writes_depth);
}

TEST_CASE("Pixel shader: derivatives are differences in the row and in the column (fact V21)") {
  ShaderScene scene;
  scene.SetVaryings(kTexcoordSlot, Float4Quad{Float4{1, 0, 0, 0}, Float4{3, 0, 0, 0},
                                              Float4{10, 0, 0, 0}, Float4{16, 0, 0, 0}});
  const QuadColors x = scene.Shade("ps_3_0; dcl_texcoord v0; dsx r0, v0; mov oC0, r0");
  CHECK(x.colors[0][0][0] == 2);
  CHECK(x.colors[0][1][0] == 2);
  CHECK(x.colors[0][2][0] == 6);
  const QuadColors y = scene.Shade("ps_3_0; dcl_texcoord v0; dsy r0, v0; mov oC0, r0");
  CHECK(y.colors[0][0][0] == 9);
  CHECK(y.colors[0][3][0] == 13);
}

TEST_CASE("Pixel shader: a pair reads before it writes") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 0.5F, 0.75F, 1});
  CHECK(scene.Color("ps_1_1; mov r0, c0; mov r0.rgb, r0.a; +mov r0.a, r0.b") ==
        Float4{1, 1, 1, 0.75F});
}

TEST_CASE("Pixel shader: the phase marker keeps colours and forgets alpha") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 0.5F, 0.75F, 1});
  CHECK(scene.Color("ps_1_4; mov r0, c0; phase; mov r1, r0; mov r0.rgb, r1") ==
        Float4{0.25F, 0.5F, 0.75F, 0});
}

TEST_CASE(
    "Pixel shader: texkill looks at three components in 1.x and at four from 2.0 on (fact D6)") {
  ShaderScene scene;
  const Float4Quad lanes = {Float4{1, 1, 1, -1}, Float4{-1, 1, 1, 1}, Float4{1, 1, -0.1F, 1},
                            Float4{0, 0, 0, 0}};
  scene.SetVaryings(kTexcoordSlot, lanes);
  CHECK(scene.Shade("ps_1_1; texkill t0; mov r0, v0").killed == 6);
  CHECK(scene.Shade("ps_1_4; texcrd r1.rgb, t0; phase; texkill r1; mov r0, v0").killed == 6);
  CHECK(scene.Shade("ps_1_4; phase; texkill t0; mov r0, v0").killed == 6);
  CHECK(scene.Shade("ps_2_0; dcl t0; texkill t0; mov oC0, t0").killed == 7);
}

TEST_CASE("Pixel shader: texkill acts on the pixels that execute it") {
  ShaderScene scene;
  scene.SetVaryings(kTexcoordSlot, Float4Quad{Float4{-1, 1, 0, 0}, Float4{-1, -1, 0, 0},
                                              Float4{1, 1, 0, 0}, Float4{-2, 1, 0, 0}});
  CHECK(
      scene
          .Shade(
              "ps_3_0; def c0, 0, 0, 0, 0; dcl_texcoord v0; if_gt v0.y, c0.x; texkill v0; endif; mov oC0, c0")
          .killed == 9);
}

TEST_CASE("Pixel shader: centroid declarations name the slots of their inputs") {
  const auto slots = [](std::string_view text) {
    DiagnosticList findings;
    return CentroidSlots(shader::Decode(AssembleShader(text), findings));
  };
  CHECK(slots("ps_2_0; dcl t1; dcl v0; mov oC0, t1") == 0);
  CHECK(slots("ps_2_0; dcl_centroid t1; dcl_centroid v1; mov oC0, t1") ==
        (1U << (kTexcoordSlot + 1) | 1U << kSpecularSlot));
  CHECK(slots("ps_3_0; dcl_color_centroid v5; dcl_texcoord2 v0; mov oC0, v0") ==
        1U << kDiffuseSlot);
  // Other semantics have the slots that are left, the last first.
  CHECK(slots("ps_3_0; dcl_normal_centroid v5; mov oC0, v5") == 1U << (kVaryingCount - 1));
}
