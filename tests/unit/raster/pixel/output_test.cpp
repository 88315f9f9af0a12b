#include <doctest/doctest.h>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Alpha test: the 8-bit alpha against the low byte of the reference (facts B6, B7)") {
  // alpha 0x80 against 0x70, 0x80, 0x90; NEVER to ALWAYS
  const bool expected[8][3] = {{false, false, false}, {false, false, true}, {false, true, false},
                               {false, true, true},   {true, false, false}, {true, false, true},
                               {true, true, false},   {true, true, true}};
  for (uint32_t function = 1; function <= 8; ++function) {
    for (uint32_t i = 0; i < 3; ++i) {
      const AlphaTestPlan plan = {
          .is_enabled = true, .function = function, .reference = 0x70 + 0x10 * i};
      CHECK(PassesAlphaTest(plan, 128.0F / 255.0F) == expected[function - 1][i]);
    }
  }
  Scene scene;
  scene.program.color = {1, 1, 1, 128.0F / 255.0F};
  scene.Set(RenderState::AlphaTestEnable, 1);
  scene.Set(RenderState::AlphaFunc, d3d::Value(d3d::CompareFunc::Greater));
  scene.Set(RenderState::AlphaRef, 0xFF70);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 16);
  scene.Set(RenderState::AlphaRef, 0x80);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 0);
  scene.Set(RenderState::AlphaTestEnable, 0);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 16);
}

TEST_CASE("Alpha test: pixels that fail write neither depth nor stencil") {
  Scene scene;
  scene.AddDepth(Format::D24S8);
  scene.Fill(0, 1, 7);
  scene.program.color = {1, 1, 1, 0};
  scene.Set(RenderState::AlphaTestEnable, 1);
  scene.Set(RenderState::AlphaFunc, d3d::Value(d3d::CompareFunc::Greater));
  scene.Set(RenderState::StencilEnable, 1);
  scene.Set(RenderState::StencilPass, d3d::Value(d3d::StencilOp::Zero));
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 0);
  CHECK(scene.Depth(0, 0) == 0xFFFFFF07);
}

TEST_CASE("Killed lanes write nothing and do not count") {
  Scene scene;
  scene.AddDepth(Format::D16);
  scene.Fill(0);
  scene.program.killed = 1 | 8;
  CHECK(scene.DrawRectangle(0, 0, 2, 2) == 2);
  CHECK(scene.Picture()[0].substr(0, 2) == ".f");
  CHECK(scene.Picture()[1].substr(0, 2) == "f.");
  CHECK(scene.Depth(0, 0) == 0xFFFF);
  CHECK(scene.Depth(1, 0) == 0x8000);
}

TEST_CASE("Stipple: the pattern gates pixels, bit 31 is column 0") {
  Scene scene(Format::A8R8G8B8, 40, 2);
  scene.Set(RenderState::StippleEnable, 1);
  scene.Set(RenderState::StipplePattern00, 0x90000001);
  scene.DrawRectangle(0, 0, 40, 2);
  CHECK(scene.Picture()[0] == "f..f" + std::string(27, '.') + "ff..f....");
  CHECK(scene.Picture()[1] == std::string(40, '.'));
}

TEST_CASE("Stipple: STIPPLEDALPHA draws a screen-door without blending") {
  Scene scene(Format::A8R8G8B8, 4, 4);
  scene.Set(RenderState::StippledAlpha, 1);
  scene.Set(RenderState::AlphaBlendEnable, 1);
  scene.Set(RenderState::SrcBlend, d3d::Value(d3d::BlendFactor::SrcAlpha));
  scene.program.color = {1, 1, 1, 0.25F};  // 4 of 16
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 4);
  CHECK(scene.Picture() == Rows{"f.f.", "....", "f.f.", "...."});
  CHECK(scene.Pixel(0, 0) == 0x40FFFFFF);
  scene.program.color[3] = 1;
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 16);
}

TEST_CASE("Occlusion: pixels that pass are counted, whether a colour is written or not") {
  Scene scene;
  scene.AddDepth(Format::D16);
  scene.Fill(0, 0.5F);
  scene.Set(RenderState::ColorWriteEnable, 0);
  CHECK(scene.DrawRectangle(0, 0, 4, 4, 0.25F) == 16);
  CHECK(scene.DrawRectangle(0, 0, 8, 4, 0.4F) == 16);
  CHECK(scene.DrawRectangle(0, 0, 8, 8, 0.9F) == 0);
}
