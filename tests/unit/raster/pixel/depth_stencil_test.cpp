#include <doctest/doctest.h>

#include <array>

#include "raster/pixel/depth_stencil.h"
#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::CompareFunc;
using d3d::StencilOp;

constexpr std::array<CompareFunc, 8> kFunctions = {
    CompareFunc::Never,   CompareFunc::Less,     CompareFunc::Equal,        CompareFunc::LessEqual,
    CompareFunc::Greater, CompareFunc::NotEqual, CompareFunc::GreaterEqual, CompareFunc::Always};

Scene DepthScene(Format format = Format::D16) {
  Scene scene(Format::A8R8G8B8, 8, 8);
  scene.AddDepth(format);
  scene.Fill(0, 1, 0);
  return scene;
}

void SetStencil(Scene& scene, CompareFunc function, StencilOp fail, StencilOp depth_fail,
                StencilOp pass) {
  scene.Set(RenderState::StencilEnable, 1);
  scene.Set(RenderState::StencilFunc, d3d::Value(function));
  scene.Set(RenderState::StencilFail, d3d::Value(fail));
  scene.Set(RenderState::StencilZFail, d3d::Value(depth_fail));
  scene.Set(RenderState::StencilPass, d3d::Value(pass));
}

uint64_t Stencil(Scene& scene) {
  return scene.Depth(1, 1) & 0xFF;  // D24S8
}

}  // namespace

TEST_CASE("Depth: each function compares the new with the stored integer") {
  // new below, equal to, above the stored one
  const std::array<std::array<bool, 3>, 8> expected = {{{false, false, false},
                                                        {true, false, false},
                                                        {false, true, false},
                                                        {true, true, false},
                                                        {false, false, true},
                                                        {true, false, true},
                                                        {false, true, true},
                                                        {true, true, true}}};
  for (size_t f = 0; f < 8; ++f) {
    for (size_t i = 0; i < 3; ++i) {
      Scene scene = DepthScene();
      scene.Fill(0, 0.5F);
      scene.Set(RenderState::ZFunc, d3d::Value(kFunctions[f]));
      const float z = 0.25F + 0.25F * static_cast<float>(i);
      CHECK((scene.DrawRectangle(0, 0, 4, 4, z) == 16) == expected[f][i]);
    }
  }
}

TEST_CASE("Depth: the drawn and the cleared value of one number are equal in every format") {
  for (const Format format : {Format::D16, Format::D15S1, Format::D24S8, Format::D24X8, Format::D32,
                              Format::D24X4S4, Format::D32FLockable, Format::D24FS8}) {
    for (const float z : {0.0F, 0.1F, 1.0F / 3.0F, 0.7F, 1.0F}) {
      Scene scene = DepthScene(format);
      scene.Fill(0, z);
      scene.Set(RenderState::ZFunc, d3d::Value(CompareFunc::Equal));
      CHECK(scene.DrawRectangle(0, 0, 4, 4, z) == 16);
      CHECK(scene.DrawPoint(At(6, 6, z), 1) == 1);
    }
  }
}

TEST_CASE("Depth: writes need ZENABLE and ZWRITEENABLE") {
  Scene scene = DepthScene();
  scene.Set(RenderState::ZWriteEnable, 0);
  CHECK(scene.DrawRectangle(0, 0, 4, 4, 0.25F) == 16);
  CHECK(scene.Depth(1, 1) == 0xFFFF);
  scene.Set(RenderState::ZWriteEnable, 1);
  scene.Set(RenderState::ZEnable, 0);  // fact B8
  CHECK(scene.DrawRectangle(0, 0, 4, 4, 0.25F) == 16);
  CHECK(scene.Depth(1, 1) == 0xFFFF);
  scene.Set(RenderState::ZEnable, 1);
  CHECK(scene.DrawRectangle(0, 0, 4, 4, 0.25F) == 16);
  CHECK(scene.Depth(1, 1) == 0x4000);
  CHECK(scene.Depth(4, 1) == 0xFFFF);
}

TEST_CASE("Depth: a plane is evaluated at every pixel and scaled in binary64") {
  Scene scene = DepthScene(Format::D24X8);
  scene.DrawPolygon({At(0, 0, 0), At(8, 0, 1), At(0, 8, 0)});
  for (uint32_t x = 0; x < 7; ++x) {
    const double exact = x / 8.0 * 16777215.0;
    CHECK((scene.Depth(x, 0) >> 8) == static_cast<uint64_t>(exact + 0.5));
  }
}

TEST_CASE(
    "Depth: DEPTHBIAS is added, SLOPESCALEDEPTHBIAS times the larger slope, ZBIAS taken away") {
  Scene scene = DepthScene();
  const std::vector<ScreenVertex> slope = {At(0, 0, 0.25F), At(8, 0, 0.75F), At(0, 8, 0.5F)};
  scene.DrawPolygon(slope);
  CHECK(scene.Depth(0, 0) == 0x4000);  // 16383.75
  scene.Set(RenderState::ZFunc, d3d::Value(CompareFunc::Always));
  scene.SetReal(RenderState::DepthBias, 0.125F);
  scene.DrawPolygon(slope);
  CHECK(scene.Depth(0, 0) == 0x6000);                  // 24575.625
  scene.SetReal(RenderState::SlopeScaleDepthBias, 2);  // m = 1/16
  scene.DrawPolygon(slope);
  CHECK(scene.Depth(0, 0) == 0x8000);
  scene.SetReal(RenderState::DepthBias, 2);
  scene.DrawPolygon(slope);
  CHECK(scene.Depth(0, 0) == 0xFFFF);
  scene.SetReal(RenderState::DepthBias, 0);
  scene.SetReal(RenderState::SlopeScaleDepthBias, std::bit_cast<float>(0x7F800000));
  scene.DrawRectangle(0, 0, 4, 4, 0.25F);
  CHECK(scene.Depth(0, 0) == 0x4000);  // slope 0: no NaN
  scene.SetReal(RenderState::SlopeScaleDepthBias, 0);
  scene.Set(RenderState::ZBias, 3);
  scene.DrawRectangle(0, 0, 4, 4, 0.25F);
  CHECK(scene.Depth(0, 0) == 0x3FFD);
}

TEST_CASE(
    "Depth: ZBIAS steps of fine buffers are 2^-16, wireframe takes the bias of the triangle") {
  Scene scene = DepthScene(Format::D32FLockable);
  scene.Set(RenderState::ZBias, 1);
  scene.DrawRectangle(0, 0, 4, 4, 0.5F);
  CHECK(std::bit_cast<float>(static_cast<uint32_t>(scene.Depth(0, 0))) == 0.5F - 1.0F / 65536.0F);
  scene.Set(RenderState::ZFunc, d3d::Value(CompareFunc::Always));
  scene.Set(RenderState::FillMode, d3d::Value(d3d::FillMode::Wireframe));
  scene.Set(RenderState::ZBias, 0);
  scene.SetReal(RenderState::SlopeScaleDepthBias, 2);
  scene.DrawPolygon({At(0, 0, 0.25F), At(4, 0, 0.5F), At(0, 4, 0.25F)});
  CHECK(std::bit_cast<float>(static_cast<uint32_t>(scene.Depth(0, 0))) == 0.375F);
}

TEST_CASE("Depth: W buffers store w in the range of WINFO") {
  Scene scene = DepthScene();
  scene.Set(RenderState::ZEnable, d3d::Value(d3d::ZBufferType::UseW));
  scene.state.w_near = 1;
  scene.state.w_far = 9;
  const std::vector<ScreenVertex> flat = {At(0, 0, 0, 1.0F / 3), At(8, 0, 0, 1.0F / 3),
                                          At(0, 8, 0, 1.0F / 3)};
  scene.DrawPolygon(flat);
  CHECK(scene.Depth(1, 1) == 0x4000);  // (3 - 1) / 8
  scene.Fill(0);
  scene.DrawPolygon({At(0, 0, 0, 1), At(8, 0, 0, 0.2F), At(0, 8, 0, 1)});
  CHECK(scene.Depth(0, 0) == 0);
  CHECK(scene.Depth(4, 0) == 0x1555);  // w = 1 / 0.6; 2/3 / 8 * 65535 = 5461.25
  scene.state.w_near = 9;
  CHECK(scene.DrawPolygon(flat) == 36);  // no range: any number, no trap
}

TEST_CASE("Depth: transformed vertices are clipped by z while depth is tested") {
  Scene scene = DepthScene();
  scene.outputs.is_transformed = true;
  const std::vector<ScreenVertex> ramp = {At(0, 0, -0.5F), At(8, 0, 1.5F), At(8, 2, 1.5F),
                                          At(0, 2, -0.5F)};
  scene.program.color = {0, 0, 1.0F / 255.0F, 0};
  scene.DrawPolygon(ramp);
  CHECK(scene.Picture()[0] == "..11111.");
  CHECK(scene.DrawPoint(At(4, 4, 1.5F), 1) == 0);
  scene.options.clips_transformed_z = false;
  CHECK(scene.DrawPolygon(ramp) == 16);
  CHECK(scene.Depth(0, 0) == 0);
  CHECK(scene.Depth(7, 0) == 0xFFFF);
  scene.options.clips_transformed_z = true;
  scene.Set(RenderState::ZEnable, 0);
  CHECK(scene.DrawPolygon(ramp) == 16);
}

TEST_CASE("Depth: output depth of a shader replaces z, clamped, without bias") {
  Scene scene = DepthScene();
  scene.SetReal(RenderState::DepthBias, 0.5F);
  scene.program.depth = 0.25F;
  scene.DrawRectangle(0, 0, 4, 4, 0.1F);
  CHECK(scene.Depth(0, 0) == 0x4000);
  scene.program.depth = 4;
  scene.Set(RenderState::ZFunc, d3d::Value(CompareFunc::Always));
  scene.DrawRectangle(0, 0, 4, 4, 0.1F);
  CHECK(scene.Depth(0, 0) == 0xFFFF);
}

TEST_CASE("Stencil: the operations, saturating and wrapping at the width of the buffer") {
  const auto apply = [](StencilOp op, uint32_t stored, uint32_t largest) {
    return ApplyStencilOp(d3d::Value(op), stored, 0x5, largest);
  };
  CHECK(apply(StencilOp::Keep, 9, 255) == 9);
  CHECK(apply(StencilOp::Zero, 9, 255) == 0);
  CHECK(apply(StencilOp::Replace, 9, 255) == 5);
  CHECK(apply(StencilOp::IncrSat, 254, 255) == 255);
  CHECK(apply(StencilOp::IncrSat, 255, 255) == 255);
  CHECK(apply(StencilOp::DecrSat, 1, 255) == 0);
  CHECK(apply(StencilOp::DecrSat, 0, 255) == 0);
  CHECK(apply(StencilOp::Invert, 0xF0, 255) == 0x0F);
  CHECK(apply(StencilOp::Invert, 0x3, 15) == 0xC);
  CHECK(apply(StencilOp::Incr, 15, 15) == 0);
  CHECK(apply(StencilOp::Decr, 0, 15) == 15);
  CHECK(ApplyStencilOp(99, 7, 5, 255) == 7);
}

TEST_CASE("Stencil: fail, depth fail and pass have their own operation") {
  Scene scene = DepthScene(Format::D24S8);
  scene.Set(RenderState::StencilRef, 0x30);
  SetStencil(scene, CompareFunc::Never, StencilOp::Replace, StencilOp::Incr, StencilOp::Zero);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 0);
  CHECK(Stencil(scene) == 0x30);
  CHECK((scene.Depth(1, 1) >> 8) == 0xFFFFFF);
  SetStencil(scene, CompareFunc::Always, StencilOp::Replace, StencilOp::Incr, StencilOp::Zero);
  scene.Set(RenderState::ZFunc, d3d::Value(CompareFunc::Never));
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 0);
  CHECK(Stencil(scene) == 0x31);
  scene.Set(RenderState::ZFunc, d3d::Value(CompareFunc::Always));
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 16);
  CHECK(Stencil(scene) == 0);
  // Without depth test the pass operation counts, and depth is not written.
  scene.Fill(0, 1, 0x30);
  scene.Set(RenderState::ZEnable, 0);
  SetStencil(scene, CompareFunc::Equal, StencilOp::Zero, StencilOp::Zero, StencilOp::Incr);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 16);
  CHECK(scene.Depth(1, 1) == 0xFFFFFF31);
}

TEST_CASE("Stencil: the reference is on the left, masked and cut to the buffer (facts S3, S4)") {
  Scene scene = DepthScene(Format::D24S8);
  scene.Set(RenderState::StencilRef, 0x1CC);
  SetStencil(scene, CompareFunc::Always, StencilOp::Keep, StencilOp::Keep, StencilOp::Replace);
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK(Stencil(scene) == 0xCC);
  scene.Set(RenderState::StencilRef, 0xDB);
  scene.Set(RenderState::StencilMask, 0x0F);
  SetStencil(scene, CompareFunc::Less, StencilOp::Keep, StencilOp::Keep, StencilOp::Keep);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 16);  // 0xB < 0xC
  scene.Fill(0, 1, 0xFB);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 0);
  scene.Set(RenderState::StencilWriteMask, 0xF0);
  SetStencil(scene, CompareFunc::Always, StencilOp::Keep, StencilOp::Keep, StencilOp::Zero);
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK(Stencil(scene) == 0x0B);
}

TEST_CASE("Stencil: two-sided mode gives counter-clockwise triangles their own states (fact S2)") {
  Scene scene = DepthScene(Format::D24S8);
  const std::vector<ScreenVertex> counter = {At(0, 0), At(0, 4), At(4, 4), At(4, 0)};
  scene.Set(RenderState::StencilRef, 0x30);
  SetStencil(scene, CompareFunc::Always, StencilOp::Keep, StencilOp::Keep, StencilOp::Replace);
  scene.Set(RenderState::CcwStencilPass, d3d::Value(StencilOp::Incr));
  scene.DrawPolygon(counter);
  CHECK(Stencil(scene) == 0x30);
  scene.Set(RenderState::TwoSidedStencilMode, 1);
  scene.DrawPolygon(counter);
  CHECK(Stencil(scene) == 0x31);
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK(Stencil(scene) == 0x30);
  scene.Set(RenderState::CcwStencilFunc, d3d::Value(CompareFunc::Never));
  CHECK(scene.DrawPolygon(counter) == 0);
  CHECK(scene.DrawPoint(At(2, 2), 1) == 1);
}

TEST_CASE("Stencil: formats without stencil ignore it, stencil-only formats have no depth test") {
  Scene plain = DepthScene(Format::D16);
  SetStencil(plain, CompareFunc::Never, StencilOp::Zero, StencilOp::Zero, StencilOp::Zero);
  CHECK(plain.DrawRectangle(0, 0, 4, 4) == 16);
  Scene only = DepthScene(Format::S8Lockable);
  only.Set(RenderState::ZFunc, d3d::Value(CompareFunc::Never));
  SetStencil(only, CompareFunc::Always, StencilOp::Keep, StencilOp::Keep, StencilOp::Incr);
  CHECK(only.DrawRectangle(0, 0, 4, 4) == 16);
  CHECK(only.Depth(1, 1) == 1);
}
