// Flow control. Source: lib/raster/rendering-shaders.md 8.6; lib/raster/rendering.md 0.5.
#include <doctest/doctest.h>

#include <string>

#include "shader_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// r0 starts as 0, c0 is (1, 2, 3, 4).
float Count(ShaderScene& scene, std::string_view body, std::string_view version = "vs_2_x") {
  scene.SetReal(0, {1, 2, 3, 4});
  return scene.Coordinate(std::string(version) + ";" + std::string(body))[0];
}

}  // namespace

TEST_CASE("Flow: if and else by boolean constants") {
  ShaderScene scene;
  scene.SetBoolean(0, true);
  const std::string_view body = "if b0; mov r0, c0.x; else; mov r0, c0.y; endif; mov oT0, r0";
  CHECK(Count(scene, body) == 1);
  scene.SetBoolean(0, false);
  CHECK(Count(scene, body) == 2);
  CHECK(Count(scene, "defb b0, true; if b0; mov r0, c0.z; endif; mov oT0, r0") == 3);
}

TEST_CASE("Flow: comparisons") {
  ShaderScene scene;
  for (const auto& [comparison, expected] : {std::pair{"gt", 1.0F},
                                             {"ge", 1.0F},
                                             {"ne", 1.0F},
                                             {"lt", 0.0F},
                                             {"le", 0.0F},
                                             {"eq", 0.0F}}) {
    const auto* const this_comparison = comparison;  // Clang 14 captures no structured bindings
    CAPTURE(this_comparison);
    CHECK(Count(scene, std::string("if_") + comparison +
                           " c0.y, c0.x; mov r0, c0.x; endif; mov oT0, r0") == expected);
  }
}

TEST_CASE("Flow: rep runs as often as its constant says") {
  ShaderScene scene;
  const std::string_view body = "rep i0; add r0, r0, c0.x; endrep; mov oT0, r0";
  for (const auto& [count, expected] :
       {std::pair{0, 0.0F}, {3, 3.0F}, {255, 255.0F}, {1000, 255.0F}, {-4, 0.0F}}) {
    const auto this_count = count;  // Clang 14 captures no structured bindings
    CAPTURE(this_count);
    scene.SetInteger(0, {count, 0, 0, 0});
    CHECK(Count(scene, body) == expected);
  }
}

TEST_CASE("Flow: loop counts aL from its start in steps (fact V11)") {
  ShaderScene scene;
  for (uint32_t i = 0; i < 16; ++i)
    scene.SetReal(10 + i, {static_cast<float>(i), 0, 0, 0});
  CHECK(Count(scene,
              "defi i0, 3, 2, 4, 0; loop aL, i0; add r0, r0, c[aL + 10]; endloop; mov oT0, r0") ==
        2 + 6 + 10);
  CHECK(Count(scene,
              "defi i0, 3, 5, -2, 0; loop aL, i0; add r0, r0, c[aL + 10]; endloop; mov oT0, r0") ==
        5 + 3 + 1);
}

TEST_CASE("Flow: an inner loop has its own counter") {
  ShaderScene scene;
  for (uint32_t i = 0; i < 16; ++i)
    scene.SetReal(10 + i, {static_cast<float>(i), 0, 0, 0});
  CHECK(
      Count(
          scene,
          "defi i0, 2, 1, 1, 0; defi i1, 2, 8, 1, 0; loop aL, i0; loop aL, i1; add r0, r0, c[aL + 10]; endloop;"
          "add r0, r0, c[aL + 10]; endloop; mov oT0, r0") == 2 * (8 + 9) + 1 + 2);
}

TEST_CASE("Flow: rep inside of loop leaves aL alone") {
  ShaderScene scene;
  scene.SetReal(12, {7, 0, 0, 0});
  CHECK(
      Count(
          scene,
          "defi i0, 1, 2, 1, 0; defi i1, 3, 0, 0, 0; loop aL, i0; rep i1; add r0, r0, c[aL + 10]; endrep; endloop; mov oT0, r0") ==
      21);
}

TEST_CASE("Flow: break leaves the innermost loop") {
  ShaderScene scene;
  CHECK(
      Count(
          scene,
          "defi i0, 10, 0, 0, 0; rep i0; add r0, r0, c0.x; break_ge r0.x, c0.w; endrep; mov oT0, r0") ==
      4);
  CHECK(
      Count(
          scene,
          "defi i0, 10, 0, 0, 0; rep i0; add r0, r0, c0.x; if_eq r0.x, c0.z; break; endif; endrep; mov oT0, r0") ==
      3);
  CHECK(
      Count(
          scene,
          "defi i0, 10, 0, 0, 0; rep i0; add r0, r0, c0.x; setp_eq p0, r0, c0.y; breakp p0.x; endrep; mov oT0, r0") ==
      2);
  CHECK(
      Count(
          scene,
          "defi i0, 3, 0, 0, 0; rep i0; rep i0; break; endrep; add r0, r0, c0.x; endrep; mov oT0, r0") ==
      3);
}

TEST_CASE("Flow: subroutines return to where they were called and see the counter of the caller") {
  ShaderScene scene;
  scene.SetReal(15, {9, 0, 0, 0});
  CHECK(Count(scene, "call l0; call l0; mov oT0, r0; ret; label l0; add r0, r0, c0.y; ret") == 4);
  CHECK(
      Count(
          scene,
          "defi i0, 1, 5, 1, 0; loop aL, i0; call l0; endloop; mov oT0, r0; ret; label l0; add r0, r0, c[aL + 10]; ret") ==
      9);
  CHECK(
      Count(
          scene,
          "call l0; mov oT0, r0; ret; label l0; call l1; add r0, r0, c0.x; ret; label l1; add r0, r0, c0.z; ret") ==
      4);
}

TEST_CASE("Flow: callnz depends on a boolean or predicate") {
  ShaderScene scene;
  const std::string_view body = "callnz l0, b0; mov oT0, r0; ret; label l0; mov r0, c0.y; ret";
  CHECK(Count(scene, body) == 0);
  scene.SetBoolean(0, true);
  CHECK(Count(scene, body) == 2);
  CHECK(
      Count(
          scene,
          "setp_gt p0, c0.y, c0.x; callnz l0, !p0.x; mov oT0, r0; ret; label l0; mov r0, c0.y; ret") ==
      0);
}

TEST_CASE("Flow: ret inside of a block leaves the rest of the subroutine out") {
  ShaderScene scene;
  CHECK(
      Count(
          scene,
          "call l0; mov oT0, r0; ret; label l0; mov r0, c0.x; if_gt c0.y, c0.x; ret; endif; mov r0, c0.w; ret") ==
      1);
  CHECK(
      Count(
          scene,
          "defi i0, 5, 0, 0, 0; call l0; mov oT0, r0; ret; label l0; rep i0; add r0, r0, c0.x; ret; endrep; mov r0, c0.w; ret") ==
      1);
}

TEST_CASE("Flow: recursion and endless work end") {
  ShaderScene scene;
  CHECK(Count(scene, "mov oT0, c0; call l0; ret; label l0; call l0; ret") == 1);
  CHECK(
      Count(
          scene,
          "defi i0, 255, 0, 0, 0; mov oT0, c0; rep i0; rep i0; rep i0; add r0, r0, c0; endrep; endrep; endrep; mov oT0, c0.w") ==
      1);
}

TEST_CASE("Flow: the pixels of a quad take their own ways") {
  ShaderScene scene;
  scene.SetVaryings(kTexcoordSlot, Float4Quad{Float4{0, 0, 0, 0}, Float4{1, 0, 0, 0},
                                              Float4{2, 0, 0, 0}, Float4{3, 0, 0, 0}});
  const QuadColors colors = scene.Shade(
      "ps_3_0; def c0, 1.5, 1, 0, 8; defi i0, 10, 0, 0, 0; dcl_texcoord v0.x; mov r0, c0.z; mov r1, c0.z; if_gt v0.x, c0.x; mov r0.x, c0.w; else;"
      "rep i0; break_ge r0.x, v0.x; add r0.x, r0.x, c0.y; add r1.x, r1.x, c0.y; endrep; endif; mov r0.y, r1.x; mov oC0, r0");
  CHECK(colors.colors[0][0] == Float4{0, 0, 0, 0});
  CHECK(colors.colors[0][1] == Float4{1, 1, 0, 0});
  CHECK(colors.colors[0][2] == Float4{8, 0, 0, 0});
  CHECK(colors.colors[0][3] == Float4{8, 0, 0, 0});
}
