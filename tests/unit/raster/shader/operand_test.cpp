// Swizzles, modifiers, masks, results, constants and relative addressing. Source: lib/raster/rendering-shaders.md 8.1, 8.3 and 8.7.
#include <doctest/doctest.h>

#include <cmath>

#include "shader_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Operands: swizzle, then modifier") {
  ShaderScene scene;
  scene.SetReal(0, {1, -2, 3, -4});
  CHECK(scene.Coordinate("vs_1_1; mov oT0, -c0.wzyx") == Float4{4, -3, 2, -1});
  CHECK(scene.Process("vs_3_0; dcl_texcoord o0; mov o0, -c0_abs").varyings[kTexcoordSlot] ==
        Float4{-1, -2, -3, -4});
}

TEST_CASE("Operands: modifiers of pixel shaders 1.x") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 0.5F, 0.75F, 1});
  CHECK(scene.Color("ps_1_4; mov r0, c0_bias") == Float4{0, 0, 0.25F, 0.5F});
  CHECK(scene.Color("ps_1_4; mov r0, -c0_bias") == Float4{0.25F, 0, 0, 0});
  CHECK(scene.Color("ps_1_4; mov r0, c0_bx2") == Float4{0, 0, 0.5F, 1});
  CHECK(scene.Color("ps_1_4; mov r0, -c0_bx2") == Float4{0.5F, 0, 0, 0});
  CHECK(scene.Color("ps_1_4; mov r0, 1-c0") == Float4{0.75F, 0.5F, 0.25F, 0});
  CHECK(scene.Color("ps_1_4; mov r0, c0_x2") == Float4{0.5F, 1, 1, 1});
}

TEST_CASE("Operands: dz and dw divide x and y; by 0 they are 1") {
  ShaderScene scene;
  scene.SetVarying(kTexcoordSlot, {0.5F, 1, 2, 4});
  CHECK(scene.Color("ps_1_4; texcrd r0.rg, t0_dz.xyz") == Float4{0.25F, 0.5F, 0, 0});
  CHECK(scene.Color("ps_1_4; texcrd r0.rg, t0_dw.xyw") == Float4{0.125F, 0.25F, 0, 0});
  scene.SetVarying(kTexcoordSlot, {0.5F, 0.25F, 0, 0});
  CHECK(scene.Color("ps_1_4; texcrd r0.rg, t0_dz.xyz") == Float4{1, 1, 0, 0});
}

TEST_CASE("Results: scale, then saturate, then mask") {
  ShaderScene scene;
  scene.SetReal(0, {0.25F, 0.75F, -0.5F, 0.5F});
  CHECK(scene.Color("ps_1_1; def c1, 1, 1, 1, 1; mov r0, c1; mov_x2_sat r0.rgb, c0") ==
        Float4{0.5F, 1, 0, 1});
  CHECK(scene.Color("ps_1_4; mov_d4 r0, c0") == Float4{0.0625F, 0.1875F, 0, 0.125F});
  CHECK(scene.Color("ps_1_4; mov_x8 r1, c0; mov_d8 r0, r1") == Float4{0.25F, 0.75F, 0, 0.5F});
  CHECK(scene.Color("ps_2_0; mov_sat r0, c0; mov oC0, r0") == Float4{0.25F, 0.75F, 0, 0.5F});
}

TEST_CASE("Results: a source that is written keeps its old value while it is read") {
  ShaderScene scene;
  scene.SetReal(0, {1, 2, 3, 4});
  CHECK(scene.Coordinate("vs_2_0; mov r0, c0; mov r0, r0.yzwx; mov oT0, r0") == Float4{2, 3, 4, 1});
}

TEST_CASE("Results: temporary registers of pixel shaders 1.x are limited to 8") {
  ShaderScene scene;
  scene.SetReal(0, {1, 1, -1, -1});
  // 1 * 4 * 4 = 16 is cut to 8: 8 / 8 / ... shows after a division by 8 only.
  CHECK(scene.Color("ps_1_4; mov_x8 r1, c0; mov_x8 r1, r1; mov_d8 r0, r1") == Float4{1, 1, 0, 0});
  CHECK(scene.Color("ps_1_4; mov_x8 r1, c0; mov_x8 r1, r1; mov_d8 r1, r1; mov_d2 r0, -r1") ==
        Float4{0, 0, 0.5F, 0.5F});
}

TEST_CASE("Constants: clamped in pixel shaders 1.x only, definitions too (fact V10)") {
  ShaderScene scene;
  scene.SetReal(0, {2, -3, 0.5F, 1});
  CHECK(scene.Color("ps_1_1; mov_d2 r0, c0") == Float4{0.5F, 0, 0.25F, 0.5F});
  CHECK(scene.Color("ps_1_4; def c1, 4, 4, 0, 0; mov_d4 r0, c1") == Float4{0.25F, 0.25F, 0, 0});
  CHECK(scene.Color("ps_2_0; mov oC0, c0") == Float4{2, -3, 0.5F, 1});
  CHECK(scene.Coordinate("vs_1_1; mov oT0, c0") == Float4{2, -3, 0.5F, 1});
}

TEST_CASE("Constants: definitions win over the context, and only for their shader") {
  ShaderScene scene;
  scene.SetReal(3, {1, 1, 1, 1});
  CHECK(scene.Coordinate("vs_1_1; def c3, 5, 6, 7, 8; mov oT0, c3") == Float4{5, 6, 7, 8});
  CHECK(scene.Coordinate("vs_1_1; mov oT0, c3") == Float4{1, 1, 1, 1});
  CHECK(scene.Coordinate("vs_1_1; mov oT0, c200") == Float4{0, 0, 0, 0});
}

TEST_CASE("Address register: mov rounds down, mova to the nearest (facts V4, V5)") {
  for (const auto& [value, floor, nearest] : {std::array<float, 3>{-2.4F, -3, -2},
                                              {-1.6F, -2, -2},
                                              {-0.4F, -1, 0},
                                              {0.4F, 0, 0},
                                              {1.6F, 1, 2},
                                              {2.4F, 2, 2}}) {
    const auto this_value = value;  // Clang 14 captures no structured bindings
    CAPTURE(this_value);
    ShaderScene scene;
    scene.SetReal(0, {value, value, value, value});
    for (uint32_t i = 1; i < 10; ++i)
      scene.SetReal(i, {static_cast<float>(i) - 5, 0, 0, 0});
    CHECK(scene.Coordinate("vs_1_1; mov a0.x, c0.x; mov oT0, c[a0.x + 5]")[0] == floor);
    CHECK(scene.Coordinate("vs_2_0; mova a0.w, c0.x; mov oT0, c[a0.w + 5]")[0] == nearest);
  }
}

TEST_CASE("Relative addressing: constants that do not exist read 0") {
  ShaderScene scene;
  scene.SetReal(1, {1, 1, 1, 1});
  for (const float address : {-2.0F, 300.0F, 1e30F, -1e30F, std::nanf(""), HUGE_VALF}) {
    CAPTURE(address);
    scene.SetReal(0, {address, 0, 0, 0});
    const Float4 value = scene.Coordinate("vs_1_1; mov a0.x, c0.x; mov oT0, c[a0.x + 1]");
    CHECK((value == Float4{0, 0, 0, 0} || std::isnan(address)));
  }
}

TEST_CASE("Relative addressing: outputs and inputs of vs_3_0") {
  ShaderScene scene;
  scene.AddElement(d3d::DeclUsage::Position, 0, {1, 2, 3, 4});
  scene.AddElement(d3d::DeclUsage::Texcoord, 0, {5, 6, 7, 8});
  scene.SetInteger(0, {2, 0, 1, 0});
  const Vertex vertex = scene.Process(
      "vs_3_0; dcl_position v0; dcl_texcoord v1; dcl_position o0; dcl_texcoord o1; loop aL, i0;"
      "mov o[aL], v[aL]; endloop");
  CHECK(vertex.position == Float4{1, 2, 3, 4});
  CHECK(vertex.varyings[kTexcoordSlot] == Float4{5, 6, 7, 8});
}

TEST_CASE("Predication: components are written where p0 is true") {
  ShaderScene scene;
  scene.SetReal(0, {1, 2, 3, 4});
  scene.SetReal(1, {2.5F, 2.5F, 2.5F, 2.5F});
  CHECK(scene.Coordinate("vs_2_x; setp_lt p0, c0, c1; mov r0, c1; (p0) mov r0, c0; mov oT0, r0") ==
        Float4{1, 2, 2.5F, 2.5F});
  CHECK(scene.Coordinate("vs_2_x; setp_lt p0, c0, c1; mov r0, c1; (!p0) mov r0, c0; mov oT0, r0") ==
        Float4{2.5F, 2.5F, 3, 4});
  CHECK(
      scene.Coordinate("vs_2_x; setp_lt p0, c0, c1; mov r0, c1; (p0.z) mov r0, c0; mov oT0, r0") ==
      Float4{2.5F, 2.5F, 2.5F, 2.5F});
  CHECK(
      scene.Coordinate("vs_2_x; setp_ge p0.xw, c0, c1; mov r0, c1; (p0) mov r0, c0; mov oT0, r0") ==
      Float4{2.5F, 2.5F, 2.5F, 4});
}
