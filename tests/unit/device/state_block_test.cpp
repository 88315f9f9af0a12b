#include "device/state_block.h"

#include <doctest/doctest.h>

#include "device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;
using Rs = d3d::RenderState;
using Tss = d3d::TextureStageState;

namespace {

enum StateSet : uint32_t { kBegin, kEnd, kDelete, kExecute, kCapture, kCreate };

void Set(Scene& scene, StateSet operation, uint32_t handle, uint32_t type = 0) {
  scene.Run(Op::kStateSet, {operation, handle, type});
}

bool Holds(const StateBlock& block, StateKey key) {
  StateWords words = {};
  return block.Get(key, words);
}

}  // namespace

TEST_CASE("STATESET: recording does not apply, EXECUTE does") {
  Scene scene;
  Set(scene, kBegin, 1);
  scene.Run(Op::kRenderState, {22, 1, 61, 1}, 2);
  scene.Run(Op::kViewportInfo, {1, 2, 3, 4});
  scene.Run(Op::kSetClipPlane, {3, Bits(1), 0, 0, 0});
  scene.Run(Op::kSetVertexShader, {0x44});
  CHECK(scene.state().value(Rs::CullMode) == 3);
  CHECK(scene.state().value(Rs::EvictManagedTextures) == 1);  // an action, never recorded
  Set(scene, kEnd, 1);
  CHECK(scene.state().value(Rs::CullMode) == 3);
  Set(scene, kExecute, 1);
  CHECK(scene.state().value(Rs::CullMode) == 1);
  CHECK(scene.state().viewport == Viewport{1, 2, 3, 4});
  CHECK(scene.state().clip_planes[3][0] == 1);
  CHECK(scene.state().vertex_program == VertexProgram{.format = 0x44, .is_level8 = true});
  CHECK_FALSE(Holds(*scene.context().state_blocks.at(1), {StateKind::kRender, 61}));
  CHECK(scene.findings.empty());
}

TEST_CASE("STATESET: the order is that of first recording, the value the last one") {
  Scene scene;
  Set(scene, kBegin, 1);
  scene.Run(Op::kRenderState, {22, 1, 7, 0, 22, 2}, 3);
  Set(scene, kEnd, 1);
  const StateBlock& block = *scene.context().state_blocks.at(1);
  REQUIRE(block.entries().size() == 2);
  CHECK(block.entries()[0].key == RenderKey(Rs::CullMode));
  CHECK(block.entries()[1].key == RenderKey(Rs::ZEnable));
  Set(scene, kExecute, 1);
  CHECK(scene.state().value(Rs::CullMode) == 2);
}

TEST_CASE("STATESET: CAPTURE overwrites exactly what the block holds") {
  Scene scene;
  Set(scene, kBegin, 1);
  scene.Run(Op::kRenderState, {22, 1});
  Set(scene, kEnd, 1);
  scene.Run(Op::kRenderState, {22, 2, 7, 0}, 2);
  Set(scene, kCapture, 1);
  scene.Run(Op::kRenderState, {22, 3, 7, 1}, 2);
  Set(scene, kExecute, 1);
  CHECK(scene.state().value(Rs::CullMode) == 2);
  CHECK(scene.state().value(Rs::ZEnable) == 1);
}

TEST_CASE(
    "STATESET: MULTIPLYTRANSFORM while recording builds on the block, else on the current matrix") {
  const auto scale = [](Op op, float factor) {
    return TokenBytes().Op(op, 1).U32({2}).F32(
        {factor, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  };
  Scene scene;
  scene.Run(scale(Op::kSetTransform, 2));
  Set(scene, kBegin, 1);
  scene.Run(scale(Op::kMultiplyTransform, 3));
  scene.Run(scale(Op::kMultiplyTransform, 5));
  Set(scene, kEnd, 1);
  CHECK(scene.state().transform(d3d::TransformState::View)[0] == 2);
  Set(scene, kExecute, 1);
  CHECK(scene.state().transform(d3d::TransformState::View)[0] == 30);
}

TEST_CASE("STATESET: lights are created at once and set by the block") {
  Scene scene;
  Set(scene, kBegin, 1);
  scene.Run(Op::kCreateLight, {4});
  scene.Run(Op::kSetLight, {4, 0});
  Set(scene, kEnd, 1);
  CHECK_FALSE(scene.state().lights.at(4).is_enabled);
  Set(scene, kExecute, 1);
  CHECK(scene.state().lights.at(4).is_enabled);
  CHECK(scene.findings.empty());
}

TEST_CASE("STATESET: CREATE stores what section 11 lists for the kind") {
  Scene scene;
  scene.Run(Op::kCreateLight, {4});
  scene.Run(TokenBytes().Op(Op::kSetVertexShaderConst, 1).U32({2, 1}).F32({1, 2, 3, 4}));
  Set(scene, kCreate, 1, 1);
  Set(scene, kCreate, 2, 2);
  Set(scene, kCreate, 3, 3);
  CHECK_FALSE(scene.context().recording);
  const StateBlock& all = *scene.context().state_blocks.at(1);
  const StateBlock& pixel = *scene.context().state_blocks.at(2);
  const StateBlock& vertex = *scene.context().state_blocks.at(3);
  const auto held = [&](StateKey key) {
    return std::array<bool, 3>{Holds(all, key), Holds(pixel, key), Holds(vertex, key)};
  };
  using Held = std::array<bool, 3>;
  CHECK(held(RenderKey(Rs::ZEnable)) == Held{true, true, false});
  CHECK(held(RenderKey(Rs::CullMode)) == Held{true, false, true});
  CHECK(held(RenderKey(Rs::ShadeMode)) == Held{true, true, true});
  CHECK(held(RenderKey(Rs::FogColor)) == Held{true, false, true});
  CHECK(held(RenderKey(Rs::PositionDegree)) == Held{false, false, true});
  CHECK(held(RenderKey(Rs::ScissorTestEnable)) == Held{true, true, false});
  CHECK(held(RenderKey(Rs::DebugMonitorToken)) == Held{false, false, false});
  CHECK(held(StageKey(0, Tss::TextureMap)) == Held{false, false, false});
  CHECK(held(StageKey(7, Tss::ColorOp)) == Held{true, true, false});
  CHECK(held(StageKey(7, Tss::TexcoordIndex)) == Held{true, true, true});
  CHECK(held(StageKey(12, Tss::AddressU)) == Held{true, true, false});
  CHECK(held(StageKey(12, Tss::ColorOp)) == Held{false, false, false});
  CHECK(held({StateKind::kViewport}) == Held{true, false, false});
  CHECK(held({StateKind::kTransform, 256}) == Held{true, false, false});
  CHECK(held({StateKind::kScissor}) == Held{true, false, false});
  CHECK(held({StateKind::kLight, 4}) == Held{true, false, true});
  CHECK(held({StateKind::kVertexFloat, 2}) == Held{true, false, true});
  CHECK(held({StateKind::kPixelShader}) == Held{true, true, false});
  CHECK(held({StateKind::kStreamDivider, 0}) == Held{false, false, true});
  CHECK(held({StateKind::kStream, 0}) == Held{false, false, false});
  CHECK(held({StateKind::kIndices}) == Held{false, false, false});
  scene.Run(Op::kRenderState, {22, 1});
  Set(scene, kExecute, 1);
  CHECK(scene.state().value(Rs::CullMode) == 3);
  CHECK_FALSE(scene.state().viewport);
}

TEST_CASE("STATESET: misuse is reported and skipped") {
  Scene scene;
  Set(scene, kEnd, 1);
  Set(scene, kExecute, 1);
  Set(scene, kBegin, 1);
  Set(scene, kBegin, 2);
  Set(scene, kCreate, 3, 1);
  Set(scene, kCapture, 1);
  Set(scene, kExecute, 9);
  Set(scene, kEnd, 1);
  Set(scene, kBegin, 1);
  Set(scene, kEnd, 1);
  Set(scene, kDelete, 1);
  Set(scene, kDelete, 1);
  scene.Run(Op::kStateSet, {6, 1, 0});
  Set(scene, kCreate, 2, 0);
  CHECK(scene.Ids() == Ids{"DP2-SBLK-003", "DP2-SBLK-005", "DP2-SBLK-002", "DP2-SBLK-002",
                           "DP2-SBLK-006", "DP2-SBLK-006", "DP2-SBLK-007", "DP2-SBLK-005",
                           "DP2-SBLK-001", "DP2-SBLK-008"});
  Scene seven(7, 3);
  Set(seven, kCreate, 2, 1);
  CHECK(seven.Ids() == Ids{"DP2-SBLK-001"});
}

TEST_CASE("STATESET: draws, clears and blits in a recording are refused, creations are not") {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 3);
  Set(scene, kBegin, 1);
  scene.Run(TokenBytes().Op(Op::kTriangleList, 1).U16({0}));
  scene.Run(Op::kClear, {1, 0, 0, 0, 0, 0, 1, 1});
  scene.Run(Op::kCreateQuery, {5, 9});
  scene.Run(Op::kIssueQuery, {5, 2});
  Set(scene, kEnd, 1);
  CHECK(scene.sink.draws.empty());
  CHECK(scene.context().queries.at(5).state == QueryState::kSignaled);
  CHECK(scene.Ids() == Ids{"DP2-SBLK-010", "DP2-SBLK-010", "DP2-SBLK-010"});
}

TEST_CASE("STATESET: a handle that was deleted since is bound as none") {
  Scene scene;
  scene.Texture(5, kA8R8G8B8, 4);
  Set(scene, kBegin, 1);
  scene.Run(TokenBytes().Op(Op::kTextureStageState, 1).U16({0, 0}).U32({5}));
  Set(scene, kEnd, 1);
  Set(scene, kExecute, 1);
  CHECK(scene.state().stage(0, Tss::TextureMap) == 5);
  scene.Collect(3, scene.device.OnSurfaceDestroy({.handle = 5}));
  CHECK(scene.context().Texture(0) == nullptr);
  Set(scene, kExecute, 1);
  CHECK(scene.state().stage(0, Tss::TextureMap) == 0);
  CHECK(scene.Ids() == Ids{"DP2-SBLK-013"});
}

TEST_CASE("STATESET: a block that cannot be kept is refused before it is made") {
  State state(9, 5, true);
  for (uint32_t i = 0; i < 100; ++i)
    state.lights[i] = {};
  const uint64_t least = StateBlock::LeastBytes(d3d::StateBlockType::VertexState, state);
  CHECK(least > 100 * sizeof(d3d::Light));
  CHECK(least <= StateBlock(1, d3d::StateBlockType::VertexState, state).size_bytes());
  CHECK(StateBlock::LeastBytes(d3d::StateBlockType::PixelState, state) == 0);

  Scene scene(9, 5, {.surfaces = {}, .max_object_bytes = least - 1});
  scene.state().lights = state.lights;
  Set(scene, kCreate, 7, 1);
  CHECK(scene.Ids() == Ids{"REPLAY-OBJECT-001"});
  CHECK(scene.context().state_blocks.empty());
}
