// Values worked out from lib/raster/rendering-shaders.md 8.4 and 8.5 and from the facts V1 to V18.
#include <doctest/doctest.h>

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

// c0, c1, c2 are the operands of the body, r0 is the result.
Float4 Result(std::string_view version, std::string_view body, const Float4& c0,
              const Float4& c1 = {}, const Float4& c2 = {}) {
  ShaderScene scene;
  scene.SetReal(0, c0);
  scene.SetReal(1, c1);
  scene.SetReal(2, c2);
  return scene.Coordinate(std::string(version) + ";" + std::string(body) + "; mov oT0, r0");
}
Float4 Vs2(std::string_view body, const Float4& c0, const Float4& c1 = {}, const Float4& c2 = {}) {
  return Result("vs_2_0", body, c0, c1, c2);
}
Float4 Vs1(std::string_view body, const Float4& c0, const Float4& c1 = {}) {
  return Result("vs_1_1", body, c0, c1);
}

float Scalar(std::string_view op, float x) {
  return Vs2(std::string(op) + " r0, c0.x", {x, 0, 0, 0})[0];
}

Float4 Ps2(std::string_view body, const Float4& c0, const Float4& c1 = {}, const Float4& c2 = {}) {
  ShaderScene scene;
  scene.SetReal(0, c0);
  scene.SetReal(1, c1);
  scene.SetReal(2, c2);
  return scene.Color("ps_2_0;" + std::string(body) + "; mov oC0, r0");
}

}  // namespace

TEST_CASE("Arithmetic: add, sub, mul, mad") {
  CHECK(Vs2("add r0, c0, c1", {1, 2, 3, 4}, {0.5F, -2, 1, 0}) == Float4{1.5F, 0, 4, 4});
  CHECK(Vs2("sub r0, c0, c1", {1, 2, 3, 4}, {0.5F, -2, 1, 0}) == Float4{0.5F, 4, 2, 4});
  CHECK(Vs2("mul r0, c0, c1", {1, 2, 3, 4}, {0.5F, -2, 1, 0}) == Float4{0.5F, -4, 3, 0});
  CHECK(Vs2("mad r0, c0, c1, c2", {1, 2, 3, 4}, {0.5F, -2, 1, 0}, {1, 1, 1, 1}) ==
        Float4{1.5F, -3, 4, 1});
}

TEST_CASE("Arithmetic: mad rounds twice") {
  const float x = 1.0F + 0x1p-23F;
  // x * x = 1 + 2^-22 + 2^-46, rounded 1 + 2^-22; a fused operation would leave 2^-46.
  CHECK(Vs2("mad r0, c0, c0, c1", {x, x, x, x}, {-1 - 0x1p-22F, 0, 0, 0})[0] == 0.0F);
}

TEST_CASE("Arithmetic: min and max let the second operand win against NaN") {
  CHECK(Vs2("min r0, c0, c1", {1, kNan, -1, 0}, {2, 5, -2, 0}) == Float4{1, 5, -2, 0});
  CHECK(Vs2("max r0, c0, c1", {1, kNan, -1, 0}, {2, 5, -2, 0}) == Float4{2, 5, -1, 0});
}

TEST_CASE("Arithmetic: slt and sge (facts V6, V7)") {
  CHECK(Vs2("sge r0, c0, c1", {0.8F, 0.2F, 0.2F, 0.2F}, {0.2F, 0.8F, 0.2F, 0.2F}) ==
        Float4{1, 0, 1, 1});
  CHECK(Vs2("slt r0, c0, c1", {0.8F, 0.2F, 0.2F, 0.2F}, {0.2F, 0.8F, 0.2F, 0.2F}) ==
        Float4{0, 1, 0, 0});
  CHECK(Vs2("sge r0, c0, c1", {kNan, 0, 0, 0}, {0, 0, 0, 0})[0] == 0.0F);
}

TEST_CASE("Arithmetic: dot products run left to right") {
  CHECK(Vs2("dp3 r0, c0, c1", {1, 2, 3, 100}, {4, 5, 6, 100}) == Float4{32, 32, 32, 32});
  CHECK(Vs2("dp4 r0, c0, c1", {1, 2, 3, 4}, {4, 5, 6, 0.5F}) == Float4{34, 34, 34, 34});
  CHECK(Vs2("dp4 r0, c0, c1", {1, 1, 1, 1}, {1e8F, 1, -1e8F, 1})[0] == 1.0F);
  const Float4 sum = Ps2("mov r1, c0; dp2add r0, r1, c1, c2.z", {1, 2, 100, 100}, {3, 4, 100, 100},
                         {0, 0, 0.5F, 0});
  CHECK(sum == Float4{11.5F, 11.5F, 11.5F, 11.5F});
}

TEST_CASE("Arithmetic: rcp and rsq never give infinity for 0") {
  CHECK(Scalar("rcp", 4) == 0.25F);
  CHECK(Scalar("rcp", 1) == 1.0F);
  CHECK(Scalar("rcp", 0) == FLT_MAX);
  CHECK(Scalar("rcp", -0.0F) == FLT_MAX);
  CHECK(Scalar("rcp", kInfinity) == 0.0F);
  CHECK(Scalar("rsq", -0.25F) == 2.0F);
  CHECK(Scalar("rsq", 0) == FLT_MAX);
}

TEST_CASE("Arithmetic: exp, log, pow") {
  CHECK(Scalar("exp", 3) == 8.0F);
  CHECK(Scalar("exp", 200) == FLT_MAX);
  CHECK(Scalar("exp", -1000) == 0.0F);
  CHECK(Scalar("expp", 2) == 4.0F);
  CHECK(Scalar("log", -8) == 3.0F);
  CHECK(Scalar("log", 0) == -FLT_MAX);
  CHECK(Scalar("logp", 16) == 4.0F);
  CHECK(Vs2("pow r0, c0.x, c0.y", {-2, 3, 0, 0}) == Float4{8, 8, 8, 8});
  CHECK(Vs2("pow r0, c0.x, c0.y", {0, 0, 0, 0})[0] == 1.0F);
  CHECK(Vs2("pow r0, c0.x, c0.y", {0, -1, 0, 0})[0] == FLT_MAX);
}

TEST_CASE("Arithmetic: version 1.1 takes .w without a swizzle (facts V16, V17)") {
  const Float4 c0 = {0.25F, 0.5F, 1, 2};
  CHECK(Vs1("rcp r0, c0", c0)[0] == 0.5F);
  CHECK(Vs1("rsq r0, c0", c0)[2] == 1.0F / std::sqrt(2.0F));
  CHECK(Vs1("exp r0, c0", c0) == Float4{4, 4, 4, 4});
  CHECK(Vs1("log r0, c0", c0) == Float4{1, 1, 1, 1});
  CHECK(Vs1("rcp r0, c0.x", c0)[0] == 4.0F);
}

TEST_CASE("Arithmetic: expp and logp of version 1.1 give parts") {
  CHECK(IsNear(Vs1("expp r0, c0.x", {2.5F, 0, 0, 0}), {4, 0.5F, 5.656854F, 1}));
  CHECK(Vs1("expp r0, c0.x", {-0.5F, 0, 0, 0})[0] == 0.5F);
  CHECK(IsNear(Vs1("logp r0, c0.x", {-12, 0, 0, 0}), {3, 1.5F, 3.5849625F, 1}));
  CHECK(Vs1("logp r0, c0.x", {0, 0, 0, 0}) == Float4{-FLT_MAX, 1, -FLT_MAX, 1});
  CHECK(Vs1("logp r0, c0.x", {0x1p-149F, 0, 0, 0}) == Float4{-149, 1, -149, 1});
  CHECK(Vs1("logp r0, c0.x", {kInfinity, 0, 0, 0}) == Float4{128, 1, 128, 1});
}

TEST_CASE("Arithmetic: lit") {
  CHECK(Vs2("lit r0, c0", {0.5F, 4, 9, 2}) == Float4{1, 0.5F, 16, 1});
  CHECK(Vs2("lit r0, c0", {-0.5F, 4, 9, 2}) == Float4{1, 0, 0, 1});
  CHECK(Vs2("lit r0, c0", {0.5F, 0, 9, 2}) == Float4{1, 0.5F, 0, 1});
  // The power is limited to 127.9961.
  CHECK(Vs2("lit r0, c0", {1, 2, 0, 1000})[2] ==
        Vs2("pow r0, c0.y, c0.w", {1, 2, 0, 127.9961F})[0]);
  CHECK(Vs2("lit r0, c0", {1, 2, 0, -1000})[2] ==
        Vs2("pow r0, c0.y, c0.w", {1, 2, 0, -127.9961F})[0]);
}

TEST_CASE("Arithmetic: dst, lrp, frc, abs, sgn") {
  CHECK(Vs2("dst r0, c0, c1", {9, 2, 3, 9}, {9, 5, 9, 7}) == Float4{1, 10, 3, 7});
  CHECK(Vs2("lrp r0, c0, c1, c2", {0, 1, 0.5F, 2}, {8, 8, 8, 8}, {4, 4, 4, 4}) ==
        Float4{4, 8, 6, 12});
  CHECK(Vs2("frc r0, c0", {1.25F, -1.25F, 3, -0.5F}) == Float4{0.25F, 0.75F, 0, 0.5F});
  CHECK(Vs2("abs r0, c0", {1, -2, -0.0F, -kInfinity}) == Float4{1, 2, 0, kInfinity});
  CHECK(Vs2("sgn r0, c0, r1, r2", {-3, 0, 5, -0.0F}) == Float4{-1, 0, 1, 0});
}

TEST_CASE("Arithmetic: crs writes xyz") {
  CHECK(Vs2("mov r0, c0; crs r0.xyz, c0, c1", {1, 2, 3, 7}, {4, 5, 6, 9}) == Float4{-3, 6, -3, 7});
}

TEST_CASE("Arithmetic: nrm scales all four components (facts V13 to V15)") {
  const float r = 1.0F / std::sqrt(2.0F);
  CHECK(Vs2("nrm r0, c0", {1, 1, 0, 2}) == Float4{r, r, 0, 2 * r});
  CHECK(Vs2("nrm r0, c0", {0, 0, 0, 5}) == Float4{0, 0, 0, 0});
  CHECK(Ps2("mov r1, c0; nrm r0, r1", {2, 0, 0, 0.5F}) == Float4{1, 0, 0, 0.25F});
}

TEST_CASE("Arithmetic: sincos gives cosine and sine (fact V26)") {
  const Float4 result =
      Vs2("mov r0, c1; sincos r0.xy, c0.x, c1, c2", {0.5F, 0, 0, 0}, {7, 7, 7, 7});
  CHECK(result == Float4{0x1.c1528p-1F, 0x1.eaee88p-2F, 7, 7});  // 3F60A940, 3EF57744
  CHECK(Vs2("mov r0, c1; sincos r0.y, c0.x, c1, c2", {0, 0, 0, 0}, {7, 7, 7, 7}) ==
        Float4{7, 0, 7, 7});
}

TEST_CASE("Arithmetic: matrices are rows in consecutive registers") {
  ShaderScene scene;
  scene.SetReal(0, {1, 2, 3, 4});
  for (uint32_t i = 0; i < 4; ++i)
    scene.SetReal(4 + i, {static_cast<float>(i), 1, 0, 1});
  CHECK(scene.Coordinate("vs_1_1; m4x4 oT0, c0, c4") == Float4{6, 7, 8, 9});
  CHECK(scene.Coordinate("vs_1_1; m3x3 oT0.xyz, c0, c4") == Float4{2, 3, 4, 0});
  CHECK(scene.Coordinate("vs_1_1; m3x4 oT0, c0, c4") == Float4{2, 3, 4, 5});
  CHECK(scene.Coordinate("vs_1_1; m4x3 oT0.xyz, c0, c4") == Float4{6, 7, 8, 0});
  CHECK(scene.Coordinate("vs_1_1; m3x2 oT0.xy, c0, c4") == Float4{2, 3, 0, 0});
  // A wider mask does not make more rows.
  CHECK(scene.Coordinate("vs_1_1; mov oT0, c0; m3x3 oT0, c0, c4") == Float4{2, 3, 4, 4});
}

TEST_CASE("Arithmetic: cmp takes the first source from 0 on") {
  CHECK(Ps2("mov r1, c0; cmp r0, r1, c1, c2", {1, 0, -1, kNan}, {1, 2, 3, 4}, {5, 6, 7, 8}) ==
        Float4{1, 2, 7, 8});
}

TEST_CASE("Arithmetic: cnd decides by alpha below 1.4 and by component in 1.4 (facts V1, V2)") {
  ShaderScene scene;
  scene.SetReal(0, {1, 0.25F, 1, 0.25F});
  scene.SetReal(1, {1, 1, 1, 1});
  scene.SetReal(2, {0, 0, 0, 0});
  CHECK(scene.Color("ps_1_1; mov r0, c0; cnd r0, r0.a, c1, c2") == Float4{0, 0, 0, 0});
  CHECK(scene.Color("ps_1_4; mov r0, c0; cnd r0, r0, c1, c2") == Float4{1, 0, 1, 0});
  scene.SetReal(0, {0, 0, 0, 0.75F});
  CHECK(scene.Color("ps_1_3; mov r0, c0; cnd r0, r0.a, c1, c2") == Float4{1, 1, 1, 1});
  scene.SetReal(0, {0, 0, 0, 0.5F});
  CHECK(scene.Color("ps_1_1; mov r0, c0; cnd r0, r0.a, c1, c2") == Float4{0, 0, 0, 0});
}

TEST_CASE("Arithmetic: a co-issued cnd takes its first source (fact V3)") {
  ShaderScene scene;
  scene.SetReal(1, {0, 1, 0, 0});
  scene.SetReal(2, {1, 0, 1, 1});
  const Float4 color = scene.Color("ps_1_1; mov r0, v0; mov r0.a, r1.a; +cnd r0.rgb, r0.a, c1, c2");
  CHECK(color == Float4{0, 1, 0, 0});
}

TEST_CASE("Arithmetic: infinities and NaN follow IEEE in ordinary operations") {
  CHECK(Vs2("mul r0, c0, c1", {FLT_MAX, 0, 1, 1}, {2, 0, 1, 1})[0] == kInfinity);
  CHECK(std::isnan(Vs2("mul r0, c0, c1", {0, 0, 0, 0}, {kInfinity, 0, 0, 0})[0]));
}
