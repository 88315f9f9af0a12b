// Render states, stage states, transforms, lights.
#include "device/state.h"

#include <doctest/doctest.h>

#include <array>

#include "device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;
using Rs = d3d::RenderState;
using Tss = d3d::TextureStageState;

namespace {

// One TEXTURESTAGESTATE record.
void SetStage(Scene& scene, uint32_t stage, Tss state, uint32_t value) {
  scene.Run(
      TokenBytes().Op(Op::kTextureStageState, 1).U16({stage, d3d::Value(state)}).U32({value}));
}

}  // namespace

TEST_CASE("State: defaults of the tables, by generation") {
  const State state(9, 5, true);
  CHECK(state.value(Rs::ZEnable) == 1);
  CHECK(state.value(Rs::CullMode) == 3);
  CHECK(state.real(Rs::PointSizeMax) == 64.0F);
  CHECK(state.stage(0, Tss::ColorOp) == 4);
  CHECK(state.stage(1, Tss::ColorOp) == 1);
  CHECK(state.stage(3, Tss::TexcoordIndex) == 3);
  CHECK(state.stage(0, Tss::MipFilter) == 0);
  CHECK(state.transform(d3d::TransformState::View) == kIdentity);
  CHECK(state.material.diffuse == Float4{1, 1, 1, 1});
  CHECK(State(9, 5, false).value(Rs::ZEnable) == 0);
  // A 6.0 runtime on a level 9 driver has the defaults of its own generation.
  CHECK(State(9, 2, true).value(Rs::SpecularEnable) == 1);
  CHECK(State(9, 3, true).value(Rs::SpecularEnable) == 0);
  CHECK(State(7, 3, true).stage(0, Tss::MipFilter) == 1);
}

TEST_CASE("RENDERSTATE: records in order, undefined numbers and illegal values are skipped") {
  Scene scene;
  scene.Run(Op::kRenderState, {7, 0, 63, 1, 22, 9, 22, 1}, 4);
  CHECK(scene.state().value(Rs::ZEnable) == 0);
  CHECK(scene.state().value(Rs::CullMode) == 1);
  REQUIRE(scene.Ids() == Ids{"DP2-RS-001", "DP2-RS-004"});
  const Diagnostic& finding = scene.findings.items()[0];
  CHECK(finding.event == 10);
  CHECK(finding.offset == 0x100 + 4 + 8);
  CHECK(finding.length == 4);
  CHECK(finding.path == "commands/0/records/1/render_state");
}

TEST_CASE("RENDERSTATE: the rule of an illegal value follows the state") {
  Scene scene(8, 4);
  scene.Run(Op::kRenderState, {19, 99, 20, 12, 19, 14, 151, 7, 10, 256, 172, 2}, 6);
  CHECK(scene.Ids() ==
        Ids{"DP2-RS-006", "DP2-RS-007", "DP2-RS-008", "DP2-RS-021", "DP2-RS-010", "DP2-RS-034"});
  Scene nine;
  nine.Run(Op::kRenderState, {178, Bits(0.5F), 20, 14, 24, 0x1FF, 168, 0x1F}, 4);
  CHECK(nine.Ids() == Ids{"DP2-RS-033"});
  CHECK(nine.state().value(Rs::DestBlend) == 14);
  CHECK(nine.state().value(Rs::AlphaRef) == 0x1FF);  // a warning only
  CHECK(nine.state().value(Rs::ColorWriteEnable) == 0x1F);
}

TEST_CASE("RENDERSTATE: overrides of old runtimes") {
  Scene scene(9, 3);
  scene.Run(Op::kRenderState, {256 + 22, 1, 22, 1, 256 + 22, 0, 22, 2}, 4);
  CHECK(scene.state().value(Rs::CullMode) == 2);
  scene.Run(Op::kRenderState, {256 + 22, 1, 22, 1}, 2);
  CHECK(scene.state().value(Rs::CullMode) == 2);
  CHECK(scene.findings.empty());
  scene.Run(Op::kRenderState, {256, 1, 512, 1}, 2);
  Scene modern(9, 4);
  modern.Run(Op::kRenderState, {256 + 22, 1, 22, 1}, 2);
  CHECK(scene.Ids() == Ids{"DP2-RS-025", "DP2-RS-001"});
  CHECK(modern.Ids() == Ids{"DP2-RS-025"});
  CHECK(modern.state().value(Rs::CullMode) == 1);
}

TEST_CASE("RENDERSTATE: legacy texture states write stage 0 and WRAP0") {
  Scene scene(7, 2);
  scene.Texture(5, kA8R8G8B8, 4);
  scene.Run(Op::kRenderState, {1, 5, 3, 3, 18, 4, 5, 1, 6, 7, 5, 0}, 6);
  CHECK(scene.state().stage(0, Tss::TextureMap) == 5);
  CHECK(scene.state().stage(0, Tss::AddressU) == 3);
  CHECK(scene.state().stage(0, Tss::AddressV) == 3);
  CHECK(scene.state().stage(0, Tss::MinFilter) == 2);
  CHECK(scene.state().stage(0, Tss::MipFilter) == 2);  // POINT of the legacy numbering
  CHECK(scene.state().value(Rs::Wrap0) == 2);
  scene.Run(Op::kRenderState, {1, 6});
  CHECK(scene.state().stage(0, Tss::TextureMap) == 5);
  CHECK(scene.Ids() == Ids{"DP2-RS-030"});
}

TEST_CASE(
    "RENDERSTATE: TEXTUREMAPBLEND MODULATE follows the texture's alpha until a stage state replaces it") {
  Scene scene(7, 2);
  scene.Texture(5, kA8R8G8B8, 4);
  scene.Texture(6, kR5G6B5, 4);
  scene.Run(Op::kRenderState, {1, 6, 21, 2}, 2);
  CHECK(scene.state().stage(0, Tss::AlphaOp) == 3);  // SELECTARG2: no alpha
  scene.Run(Op::kRenderState, {1, 5});
  CHECK(scene.state().stage(0, Tss::AlphaOp) == 2);
  SetStage(scene, 0, Tss::AlphaOp, 4);
  scene.Run(Op::kRenderState, {1, 6});
  CHECK(scene.state().stage(0, Tss::AlphaOp) == 4);
  CHECK(scene.findings.empty());
}

TEST_CASE("TEXTURESTAGESTATE: stages, textures and values are checked") {
  Scene scene;
  scene.Texture(5, kA8R8G8B8, 4, 2);
  scene.Create({.handle = 6,
                .caps = kCapsTexture,
                .format = kA8R8G8B8,
                .width = 4,
                .height = 4,
                .levels = 2,
                .flip_chain = {},
                .sub_surfaces = {{.handle = 7, .face = 0, .level = 1}}});
  SetStage(scene, 0, Tss::TextureMap, 5);
  SetStage(scene, 257, Tss::TextureMap, 6);
  SetStage(scene, 2, Tss::Address, 3);
  CHECK(scene.context().Texture(0)->handle == 5);
  CHECK(scene.context().Texture(17)->handle == 6);
  CHECK(scene.state().stage(2, Tss::AddressU) == 3);
  CHECK(scene.state().stage(2, Tss::AddressV) == 3);
  CHECK(scene.findings.empty());
  SetStage(scene, 8, Tss::ColorOp, 4);
  SetStage(scene, 16, Tss::AddressU, 1);
  SetStage(scene, 0, static_cast<Tss>(35), 1);
  SetStage(scene, 0, Tss::TextureMap, 99);
  SetStage(scene, 0, Tss::TextureMap, 7);
  SetStage(scene, 0, Tss::TextureMap, kTarget);
  CHECK(scene.Ids() ==
        Ids{"DP2-TSS-001", "DP2-TSS-001", "DP2-TSS-002", "DP2-TSS-005", "DP2-TSS-006"});
  CHECK(scene.context().Texture(0)->handle == kTarget);  // recorded without caps: nothing is known
}

TEST_CASE("TEXTURESTAGESTATE: the rule of an illegal value follows the state") {
  Scene scene(7, 3);
  SetStage(scene, 0, Tss::ColorOp, 25);
  SetStage(scene, 0, Tss::AlphaOp, 20);
  SetStage(scene, 0, Tss::ColorArg1, 5);
  SetStage(scene, 0, Tss::TexcoordIndex, 8);
  SetStage(scene, 0, Tss::TextureTransformFlags, 5);
  SetStage(scene, 0, Tss::AddressU, 5);
  SetStage(scene, 0, Tss::MipFilter, 0);
  SetStage(scene, 0, Tss::MipFilter, 3);
  CHECK(scene.Ids() == Ids{"DP2-TSS-007", "DP2-TSS-008", "DP2-TSS-010", "DP2-TSS-013",
                           "DP2-TSS-016", "DP2-TSS-018", "DP2-TSS-019"});
  CHECK(scene.state().stage(0, Tss::MipFilter) == 3);
  CHECK(scene.state().stage(0, Tss::AddressU) == 1);               // keeps its value
  CHECK(scene.state().stage(0, Tss::TextureTransformFlags) == 5);  // acts as it says
  Scene nine;
  SetStage(nine, 0, Tss::ResultArg, 2);
  CHECK(nine.Ids() == Ids{"DP2-TSS-011"});
}

TEST_CASE("TEXTURESTAGESTATE: texture handles of level 6 are not looked up") {
  Scene scene(6, 2);
  SetStage(scene, 0, Tss::TextureMap, 0xC0DE0001);
  CHECK(scene.state().stage(0, Tss::TextureMap) == 0xC0DE0001);
  CHECK(scene.findings.empty());
}

TEST_CASE("SETTRANSFORM and MULTIPLYTRANSFORM: aliases, identity bit, order of the product") {
  Scene scene;
  TokenBytes set;
  set.Op(Op::kSetTransform, 1).U32({1}).F32({1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1});
  scene.Run(set);
  CHECK(scene.state().transforms[256][1] == 2);
  // token * current: a scale of 2 before the stored matrix.
  TokenBytes multiply;
  multiply.Op(Op::kMultiplyTransform, 1)
      .U32({256})
      .F32({2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1});
  scene.Run(multiply);
  CHECK(scene.state().transforms[256] == Matrix{2, 4, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 3, 0, 0, 1});
  TokenBytes identity;
  identity.Op(Op::kSetTransform, 1)
      .U32({0x80000001})
      .F32({9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9});
  scene.Run(identity);
  CHECK(scene.state().transforms[256] == kIdentity);
  TokenBytes wrong;
  wrong.Op(Op::kSetTransform, 1).U32({24}).F32({9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9});
  scene.Run(wrong);
  CHECK(scene.Ids() == Ids{"DP2-XFORM-001"});
}

TEST_CASE("Viewport, ranges, planes and scissor: legal ones are set, others are skipped") {
  Scene scene;
  CHECK_FALSE(scene.state().viewport);
  scene.Run(Op::kViewportInfo, {1, 2, 3, 4});
  scene.Run(Op::kViewportInfo, {1, 2, 0, 4});
  scene.Run(Op::kViewportInfo, {0xFFFFFFFF, 2, 3, 4});
  CHECK(scene.state().viewport == Viewport{1, 2, 3, 4});
  scene.Run(Op::kZRange, {Bits(0.25F), Bits(0.5F)});
  scene.Run(Op::kZRange, {Bits(-1.0F), Bits(0.5F)});
  CHECK(scene.state().min_z == 0.25F);
  CHECK(scene.state().max_z == 0.5F);
  scene.Run(Op::kWInfo, {Bits(2), Bits(3)});
  CHECK(scene.state().w_far == 3);
  scene.Run(Op::kSetClipPlane, {31, Bits(1), Bits(2), Bits(3), Bits(4)});
  scene.Run(Op::kSetClipPlane, {32, Bits(1), Bits(2), Bits(3), Bits(4)});
  CHECK(scene.state().clip_planes[31] == Float4{1, 2, 3, 4});
  scene.Run(Op::kSetScissorRect, {1, 2, 30, 40});
  CHECK(scene.state().scissor == d3d::Rect{1, 2, 30, 40});
  scene.Run(Op::kSetScissorRect, {0xFFFFE000, 0xFFFFE000, 8192, 8192});
  CHECK(scene.state().scissor == d3d::Rect{-8192, -8192, 8192, 8192});
  scene.Run(Op::kSetScissorRect, {5, 2, 3, 4});  // holds no pixels
  CHECK(scene.state().scissor == d3d::Rect{5, 2, 3, 4});
  CHECK(scene.Ids() ==
        Ids{"DP2-VIEW-001", "DP2-VIEW-002", "DP2-VIEW-005", "DP2-VIEW-008", "DP2-VIEW-011"});
}

TEST_CASE("Material and lights: order of the fields, data does not enable, creation resets") {
  Scene scene;
  TokenBytes material;
  material.Op(Op::kSetMaterial, 1).F32({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17});
  scene.Run(material);
  CHECK(scene.state().material ==
        Material{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}, 17});
  scene.Run(Op::kCreateLight, {7});
  CHECK(scene.state().lights.at(7) == Light{});
  TokenBytes light;
  light.Op(Op::kSetLight, 2).U32({7, 2, 1}).F32({1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                                 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25});
  light.U32({7, 0});
  scene.Run(light);
  const Light& set = scene.state().lights.at(7);
  CHECK(set.is_enabled);
  CHECK(set.type == 1);
  CHECK(set.specular == Float4{5, 6, 7, 8});
  CHECK(set.ambient == Float4{9, 10, 11, 12});
  CHECK(set.direction == std::array<float, 3>{16, 17, 18});
  CHECK(set.attenuation0 == 21);
  CHECK(set.phi == 25);
  scene.Run(Op::kCreateLight, {7});
  CHECK(scene.state().lights.at(7) == Light{});
  CHECK(scene.findings.empty());
  scene.Run(Op::kSetLight, {8, 0});
  scene.Run(Op::kSetLight, {8, 3});
  CHECK(scene.state().lights.at(8).is_enabled);
  CHECK(scene.Ids() == Ids{"DP2-LIGHT-001", "DP2-LIGHT-003"});
}

TEST_CASE("Lights: their number is limited by memory") {
  Scene scene(9, 5, {.surfaces = {}, .max_object_bytes = 1000});
  for (uint32_t i = 0; i < 100; ++i)
    scene.Run(Op::kCreateLight, {i});
  CHECK(scene.state().lights.size() < 10);
  CHECK(scene.Ids()[0] == "REPLAY-OBJECT-001");
}

TEST_CASE("Lights: a context that is gone leaves its memory to the next") {
  Scene scene(9, 5, {.surfaces = {}, .max_object_bytes = 1000});
  const auto fill = [&scene] {
    for (uint32_t i = 0; i < 100; ++i)
      scene.Run(Op::kCreateLight, {i});
    return scene.state().lights.size();
  };
  const size_t count = fill();
  scene.Collect(11, scene.device.OnContextCreate({.context = 2, .target = kTarget}));
  scene.Collect(12, scene.device.OnContextDestroy({.context = 1}));
  scene.Collect(13, scene.device.OnContextCreate({.context = 1, .target = kTarget}));
  CHECK(fill() == count);
  // One that is replaced, too.
  scene.Collect(14, scene.device.OnContextCreate({.context = 1, .target = kTarget}));
  CHECK(fill() == count);
}
