// Infinities, NaN, zeros of both signs and overflow through each arithmetic instruction. Where the specification prints an operator, the
// value is that of IEEE 754 arithmetic; what it says otherwise (8.4, 8.5, 0.3.5) is named at the case.
#include <doctest/doctest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <string>

#include "shader_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

// The same number, sign of zero included, or both NaN.
bool IsSame(const Float4& actual, const Float4& expected) {
  for (size_t i = 0; i < 4; ++i) {
    if (std::isnan(expected[i])
            ? !std::isnan(actual[i])
            : std::bit_cast<uint32_t>(actual[i]) != std::bit_cast<uint32_t>(expected[i])) {
      return false;
    }
  }
  return true;
}

// One instruction: operands in c0 to c2, result in r0.
Float4 Run(std::string_view version, std::string_view body, const Float4& c0, const Float4& c1,
           const Float4& c2) {
  ShaderScene scene;
  scene.SetReal(0, c0);
  scene.SetReal(1, c1);
  scene.SetReal(2, c2);
  const std::string start = std::string(version) + "; mov r1, c1; mov r2, c2;" + std::string(body);
  const bool is_pixel = version.starts_with("ps");
  return is_pixel ? scene.Shade(start + "; mov oC0, r0").colors[0][0]
                  : scene.Coordinate(start + "; mov oT0, r0");
}

void CheckValue(std::string_view body, const Float4& expected, const Float4& c0,
                const Float4& c1 = {}, const Float4& c2 = {}, std::string_view version = "vs_2_0") {
  CAPTURE(body);
  const Float4 actual = Run(version, body, c0, c1, c2);
  CAPTURE(actual[0]);
  CAPTURE(actual[1]);
  CAPTURE(actual[2]);
  CAPTURE(actual[3]);
  CHECK(IsSame(actual, expected));
}

}  // namespace

TEST_CASE("Edge values: add, sub, mul, mad, lrp") {
  CheckValue("add r0, c0, r1", {kInfinity, kNan, -0.0F, kInfinity},
             {FLT_MAX, kInfinity, -0.0F, kInfinity}, {FLT_MAX, -kInfinity, -0.0F, 1});
  CheckValue("add r0, c0, r1", {kNan, kNan, 0, -kInfinity}, {kNan, 1, 1, -FLT_MAX},
             {1, kNan, -1, -FLT_MAX});
  // a + (-b): 0 - 0 is +0, -0 - 0 is -0.
  CheckValue("sub r0, c0, r1", {kNan, 0, -0.0F, kInfinity}, {kInfinity, 0, -0.0F, kInfinity},
             {kInfinity, 0, 0, -kInfinity});
  CheckValue("mul r0, c0, r1", {kNan, -kInfinity, -0.0F, kNan}, {0, -1, -1, kNan},
             {kInfinity, kInfinity, 0, 0});
  CheckValue("mul r0, c0, r1", {-kInfinity, 0, 0x1p-149F, 0},
             {FLT_MAX, 0x1p-100F, 0x1p-100F, -0.0F}, {-FLT_MAX, 0x1p-100F, 0x1p-49F, -0.0F});
  // The product overflows before the sum brings it back.
  CheckValue("mad r0, c0, r1, r2", {kInfinity, kNan, kNan, 0}, {FLT_MAX, 0, 1, 1},
             {2, kInfinity, kNan, 1}, {-FLT_MAX, 1, 1, -1});
  // c + a * (b - c): the difference of infinities is NaN even where a is 0.
  CheckValue("lrp r0, c0, r1, r2", {kNan, kInfinity, -kInfinity, 3}, {0, 1, 1, 0},
             {kInfinity, kInfinity, -kInfinity, 5}, {kInfinity, 1, 1, 3});
}

TEST_CASE("Edge values: min, max, slt, sge") {
  CheckValue("min r0, c0, r1", {-kInfinity, 1, 2, 0}, {kInfinity, 1, kNan, 0},
             {-kInfinity, kInfinity, 2, 5});
  CheckValue("max r0, c0, r1", {kInfinity, kInfinity, 2, 5}, {kInfinity, 1, kNan, 0},
             {-kInfinity, kInfinity, 2, 5});
  // The second operand is what a comparison that is false gives: NaN there stays.
  CheckValue("min r0, c0, r1", {kNan, kNan, 0, 0}, {1, kNan, 0, 0}, {kNan, kNan, 0, 0});
  CheckValue("slt r0, c0, r1", {0, 0, 1, 0}, {kNan, 1, -kInfinity, -0.0F}, {1, kNan, kInfinity, 0});
  CheckValue("sge r0, c0, r1", {0, 0, 0, 1}, {kNan, 1, -kInfinity, -0.0F}, {1, kNan, kInfinity, 0});
}

TEST_CASE("Edge values: dot products") {
  // Infinity in a component that does not take part changes nothing.
  CheckValue("dp3 r0, c0, r1", {6, 6, 6, 6}, {1, 2, 3, kInfinity}, {1, 1, 1, kNan});
  CheckValue("dp4 r0, c0, r1", {kNan, kNan, kNan, kNan}, {kInfinity, kInfinity, 0, 0},
             {1, -1, 0, 0});
  CheckValue("dp4 r0, c0, r1", {kInfinity, kInfinity, kInfinity, kInfinity},
             {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX}, {1, 1, 1, 1});
  CheckValue("dp2add r0, r1, r2, c0.x", {-kInfinity, -kInfinity, -kInfinity, -kInfinity},
             {-kInfinity, 0, 0, 0}, {1, 2, kNan, kNan}, {3, 4, 1, 1}, "ps_2_0");
}

TEST_CASE("Edge values: rcp and rsq") {
  CheckValue("rcp r0, c0.x", {-0.0F, -0.0F, -0.0F, -0.0F}, {-kInfinity, 0, 0, 0});
  CheckValue("rcp r0, c0.x", {kNan, kNan, kNan, kNan}, {kNan, 0, 0, 0});
  // Only 0 has a special value: the reciprocal of the smallest number overflows.
  CheckValue("rcp r0, c0.x", {-kInfinity, -kInfinity, -kInfinity, -kInfinity},
             {-0x1p-149F, 0, 0, 0});
  CheckValue("rcp r0, c0.x", {0x1p-126F, 0x1p-126F, 0x1p-126F, 0x1p-126F}, {0x1p126F, 0, 0, 0});
  CheckValue("rsq r0, c0.x", {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX}, {-0.0F, 0, 0, 0});
  CheckValue("rsq r0, c0.x", {0, 0, 0, 0}, {-kInfinity, 0, 0, 0});
  CheckValue("rsq r0, c0.x", {kNan, kNan, kNan, kNan}, {kNan, 0, 0, 0});
  CheckValue("rsq r0, c0.x", {0x1p74F, 0x1p74F, 0x1p74F, 0x1p74F}, {0x1p-148F, 0, 0, 0});
}

TEST_CASE("Edge values: exp, log, pow") {
  CheckValue("exp r0, c0.x", {1, 1, 1, 1}, {-0.0F, 0, 0, 0});
  CheckValue("exp r0, c0.x", {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX}, {kInfinity, 0, 0, 0});
  CheckValue("exp r0, c0.x", {0, 0, 0, 0}, {-kInfinity, 0, 0, 0});
  CheckValue("exp r0, c0.x", {0x1p-126F, 0x1p-126F, 0x1p-126F, 0x1p-126F}, {-126, 0, 0, 0});
  CheckValue("log r0, c0.x", {0, 0, 0, 0}, {-1, 0, 0, 0});
  CheckValue("log r0, c0.x", {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX}, {-0.0F, 0, 0, 0});
  CheckValue("log r0, c0.x", {-149, -149, -149, -149}, {0x1p-149F, 0, 0, 0});
  CheckValue("pow r0, c0.x, c0.y", {1, 1, 1, 1}, {-1, 1000, 0, 0});
  CheckValue("pow r0, c0.x, c0.y", {1, 1, 1, 1}, {5, -0.0F, 0, 0});
  CheckValue("pow r0, c0.x, c0.y", {FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX}, {2, 200, 0, 0});
  CheckValue("pow r0, c0.x, c0.y", {0, 0, 0, 0}, {0, 3, 0, 0});
}

TEST_CASE("Edge values: frc, abs, sgn, mova") {
  CheckValue("frc r0, c0", {kNan, kNan, 0, 0}, {kInfinity, kNan, -0.0F, -16777216});
  // -2^-30 - floor(-2^-30) = 1 - 2^-30 rounds to 1: the only way out of [0, 1).
  CheckValue("frc r0, c0", {1, 0.5F, 0, 0x1p-149F}, {-0x1p-30F, -2147483.5F, 8388608, 0x1p-149F});
  CheckValue("abs r0, c0", {kNan, kInfinity, 0, 0x1p-149F}, {kNan, -kInfinity, -0.0F, -0x1p-149F});
  CheckValue("sgn r0, c0, r1, r2", {0, 1, -1, 1}, {kNan, kInfinity, -kInfinity, 0x1p-149F});
  // floor(s + 0.5): halves go up.
  ShaderScene scene;
  for (uint32_t i = 0; i < 8; ++i)
    scene.SetReal(10 + i, {static_cast<float>(i), 0, 0, 0});
  for (const auto& [value, index] :
       {std::pair{0.5F, 1.0F}, {1.5F, 2.0F}, {0.49F, 0.0F}, {2.6F, 3.0F}, {-0.5F, 0.0F}}) {
    const auto this_value = value;  // Clang 14 captures no structured bindings
    CAPTURE(this_value);
    scene.SetReal(0, {value, 0, 0, 0});
    CHECK(scene.Coordinate("vs_2_0; mova a0.x, c0.x; mov oT0, c[a0.x + 10]")[0] == index);
  }
  // An address that is not a number, or far away, reads 0.
  for (const float value : {kNan, kInfinity, -kInfinity, 1e30F, -11.0F}) {
    CAPTURE(value);
    scene.SetReal(0, {value, 0, 0, 0});
    CHECK(scene.Coordinate("vs_2_0; mova a0.x, c0.x; mov oT0, c[a0.x + 10]") == Float4{});
  }
}

TEST_CASE("Edge values: lit, dst, crs, nrm") {
  // max(x, 0) of NaN is the second operand; what compares with NaN is not lit.
  CheckValue("lit r0, c0", {1, 0, 0, 1}, {kNan, 1, 0, 1});
  CheckValue("lit r0, c0", {1, 1, 0, 1}, {1, kNan, 0, 1});
  CheckValue("lit r0, c0", {1, kInfinity, 1, 1}, {kInfinity, 1, 0, 5});
  CheckValue("lit r0, c0", {1, 0, 0, 1}, {-0.0F, 1, 0, 1});
  CheckValue("lit r0, c0", {1, 1, 1, 1}, {1, 0.5F, 0, 0});
  CheckValue("dst r0, c0, r1", {1, kNan, kInfinity, -kInfinity}, {kNan, 0, kInfinity, kNan},
             {kNan, kInfinity, kNan, -kInfinity});
  CheckValue("mov r0, c0; crs r0.xyz, r2, r1", {kNan, kNan, 0, 7}, {9, 9, 9, 7},
             {0, 0, kInfinity, 0}, {0, 0, 0, 0});
  CheckValue("nrm r0, c0", {0, 0, 0, 0}, {0, -0.0F, 0, kInfinity});
  // The square overflows: 1 / sqrt(infinity) = 0, and infinity * 0 is NaN.
  CheckValue("nrm r0, c0", {0, 0, 0, 0}, {FLT_MAX, 1, 0, 1});
  CheckValue("nrm r0, c0", {kNan, 0, 0, 0}, {kInfinity, 1, 0, 1});
  CheckValue("nrm r0, c0", {kNan, kNan, kNan, kNan}, {kNan, 1, 0, 1});
}

TEST_CASE("Edge values: cmp, cnd, setp and conditions") {
  CheckValue("cmp r0, c0, r1, r2", {1, 1, 2, 2}, {-0.0F, kInfinity, kNan, -kInfinity}, {1, 1, 1, 1},
             {2, 2, 2, 2}, "ps_2_0");
  ShaderScene scene;
  scene.SetReal(0, {kNan, kNan, kNan, kNan});
  scene.SetReal(1, {1, 1, 1, 1});
  scene.SetReal(2, {0.25F, 0.25F, 0.25F, 0.25F});
  for (const auto& [comparison, holds] : {std::pair{"gt", false},
                                          {"eq", false},
                                          {"ge", false},
                                          {"lt", false},
                                          {"ne", true},
                                          {"le", false}}) {
    const auto* const this_comparison = comparison;  // Clang 14 captures no structured bindings
    CAPTURE(this_comparison);
    const std::string name(comparison);
    const float expected = holds ? 1.0F : 0.25F;
    CHECK(scene.Coordinate("vs_2_x; mov r0, c2; setp_" + name +
                           " p0, c0, c1; (p0) mov r0, c1; mov oT0, r0")[3] == expected);
    CHECK(scene.Coordinate("vs_2_x; mov r0, c2; if_" + name +
                           " c0.x, c1.x; mov r0, c1; endif; mov oT0, r0")[3] == expected);
  }
  // 1.4 compares with 0.5 by component; constants are clamped to [-1, 1] before.
  scene.SetReal(0, {0.5F, 0x1.000002p-1F, kInfinity, -kInfinity});
  CHECK(scene.Color("ps_1_4; mov r0, c0; cnd r0, r0, c1, c2") == Float4{0.25F, 1, 1, 0.25F});
}

TEST_CASE("Edge values: saturate, scale and the range of pixel shaders 1.x") {
  CheckValue("mov_sat r0, c0", {0, 1, 0, 0}, {kNan, kInfinity, -kInfinity, -0.0F}, {}, {},
             "ps_2_0");
  ShaderScene scene;
  scene.SetReal(0, {1, -1, 0.5F, 0.125F});
  // Every register ends at -8 and 8; 1 * 4 * 4 = 16.
  CHECK(scene.Color(
            "ps_1_1; mov_x4 r0, c0; mov_x4 r0, r0; mov_d2 r0, r0; mov_d2 r0, r0; mov_d2 r0, r0") ==
        Float4{1, 0, 1, 0.25F});
  CHECK(scene.Color("ps_1_1; mov_x4 r0, c0; add r0, 1-r0, c0") == Float4{0, 1, 0, 0.625F});
  CHECK(scene.Color("ps_1_4; mov_x8 r0, c0; mov_d8 r0, r0") == Float4{1, 0, 0.5F, 0.125F});
  // bias, bx2 and complement of the ends: -0.5, -1, and 0 of 1; the sum of the first two of 0.125 is -0.375 - 0.75.
  CHECK(scene.Color("ps_1_4; mov r1, c0; add r0, -r1_bias, -r1_bx2") == Float4{0, 1, 0, 1});
}

TEST_CASE("Edge values: sincos, matrices and derivatives") {
  CheckValue("sincos r0.xy, c0.x, r1, r2", {1, 0, 0, 0}, {0, 0, 0, 0});
  CheckValue("m3x2 r0.xy, c0, c1", {kNan, 6, 0, 0}, {1, 2, 3, kNan}, {kInfinity, -kInfinity, 0, 0},
             {1, 1, 1, kInfinity});
  ShaderScene scene;
  scene.SetVaryings(kTexcoordSlot,
                    Float4Quad{Float4{1, kInfinity, 0, 0}, Float4{3, kInfinity, 0, 0},
                               Float4{6, 0, kNan, 0}, Float4{10, 0, 0, 0}});
  const QuadColors across = scene.Shade("ps_3_0; dcl_texcoord v0; dsx r0, v0; mov oC0, r0");
  CHECK(across.colors[0][0][0] == 2);
  CHECK(across.colors[0][3][0] == 4);
  CHECK(std::isnan(across.colors[0][0][1]));
  const QuadColors down = scene.Shade("ps_3_0; dcl_texcoord v0; dsy r0, v0; mov oC0, r0");
  CHECK(down.colors[0][0][0] == 5);
  CHECK(down.colors[0][1][0] == 7);
  CHECK(down.colors[0][0][1] == -kInfinity);
}

TEST_CASE("Edge values: nop does nothing") {
  CheckValue("mov r0, c0; nop", {1, 2, 3, 4}, {1, 2, 3, 4});
  CheckValue("mov r0, c0; nop", {1, 2, 3, 4}, {1, 2, 3, 4}, {}, {}, "ps_2_0");
}

TEST_CASE("Edge values: texkill kills below 0 and nothing else") {
  ShaderScene scene;
  scene.SetVaryings(kTexcoordSlot,
                    Float4Quad{Float4{-0.0F, 0, kNan, 1}, Float4{0, -0x1p-149F, 0, 0},
                               Float4{0, 0, -kInfinity, 0}, Float4{kInfinity, 0, 0, 0}});
  for (const std::string_view text :
       {"ps_1_1; texkill t0; mov r0, v0", "ps_1_4; phase; texkill t0; mov r0, v0",
        "ps_2_0; dcl t0; texkill t0; mov oC0, t0",
        "ps_3_0; dcl_texcoord v0; texkill v0; mov oC0, v0"}) {
    CAPTURE(text);
    CHECK(scene.Shade(text).killed == 6);
  }
  // On its way through a register of 1.4 the NaN of lane 0 becomes the lower end of the range: max(NaN, -8) is -8.
  CHECK(scene.Shade("ps_1_4; texcrd r1.rgb, t0; phase; texkill r1; mov r0, v0").killed == 7);
}

TEST_CASE("Edge values: texcoord, and the quotient of texm3x2depth") {
  ShaderScene scene;
  scene.SetVarying(kTexcoordSlot, {kNan, kInfinity, -kInfinity, 5});
  CHECK(scene.Color("ps_1_1; texcoord t0; mov r0, t0") == Float4{0, 1, 0, 1});
  scene.BindValue(0, {1, 0, 0, 0});
  struct Row {
    float z, w, depth;
  };
  for (const Row& row : {Row{1, 4, 0.25F},
                         {-1, 4, 0},
                         {-1, -4, 0.25F},
                         {5, 1, 1},
                         {0, 0, 1},
                         {1, -0.0F, 1},
                         {0, -3, 0},
                         {1, 0x1p-149F, 1}}) {
    CAPTURE(row.z);
    CAPTURE(row.w);
    scene.SetVarying(kTexcoordSlot + 1, {row.z, 0, 0, 0});
    scene.SetVarying(kTexcoordSlot + 2, {row.w, 0, 0, 0});
    CHECK(scene.Shade("ps_1_3; tex t0; texm3x2pad t1, t0; texm3x2depth t2, t0; mov r0, v0")
              .depth[3] == row.depth);
  }
}

TEST_CASE("Edge values: coordinates that are no numbers give some texel") {
  ShaderScene scene;
  scene.BindValue(0, {0.5F, 0.5F, 0.5F, 0.5F});
  for (const float value : {kNan, kInfinity, -kInfinity, FLT_MAX, -FLT_MAX}) {
    CAPTURE(value);
    scene.SetVarying(kTexcoordSlot, {value, value, value, value});
    for (const std::string_view op : {"texld", "texldp", "texldb", "texldl"}) {
      CAPTURE(op);
      const Float4 color = scene.Color("ps_3_0; dcl_texcoord v0; dcl_2d s0;" + std::string(op) +
                                       " r0, v0, s0; mov oC0, r0");
      CHECK(color == Float4{0.5F, 0.5F, 0.5F, 0.5F});
    }
  }
}
