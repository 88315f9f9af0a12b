// Draws from bound streams.
#include <doctest/doctest.h>

#include "../device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;
using Primitives = std::vector<std::vector<int64_t>>;

namespace {

constexpr uint32_t kVertexBuffer = 20, kIndexBuffer = 21;
constexpr uint32_t kXyz = 0x002;     // 12 bytes
constexpr uint32_t kXyzRhw = 0x004;  // 16 bytes

// Six vertices of 16 bytes in stream 0, six indices.
void Bind(Scene& scene, uint32_t fvf, uint32_t stride = 16) {
  scene.Buffer(kVertexBuffer, std::vector<uint8_t>(96));
  scene.Buffer(kIndexBuffer, TokenBytes().U16({0, 1, 2, 3, 4, 5}).bytes());
  scene.Run(Op::kSetVertexShader, {fvf});
  scene.Run(Op::kSetStreamSource, {0, kVertexBuffer, stride});
  scene.Run(Op::kSetIndices, {kIndexBuffer, 2});
}

}  // namespace

TEST_CASE(
    "DRAWPRIMITIVE: vertices from VStart on, the last one needs its elements and no whole stride") {
  Scene scene;
  Bind(scene, kXyz);
  scene.Run(Op::kDrawPrimitive, {4, 3, 1});
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].primitives == Primitives{{3, 4, 5}});
  CHECK(scene.sink.draws[0].draw.streams[0].stride == 16);
  scene.Run(Op::kDrawPrimitive, {4, 4, 1});
  CHECK(scene.Ids() == Ids{"DP2-DRAW-006"});
  scene.Run(Op::kSetStreamSource2, {0, kVertexBuffer, 4, 16});
  scene.Run(Op::kDrawPrimitive, {4, 3, 1});
  CHECK(scene.sink.draws.size() == 2);
  CHECK(scene.sink.draws[1].draw.streams[0].origin == 4);
  scene.Run(Op::kSetStreamSource2, {0, kVertexBuffer, 8, 16});
  scene.Run(Op::kDrawPrimitive, {4, 3, 1});
  CHECK(scene.sink.draws.size() == 2);
}

TEST_CASE("DRAWPRIMITIVE: types, counts, formats") {
  Scene scene(9, 5, {.surfaces = {}, .max_primitives = 1U << 24});
  Bind(scene, kXyz);
  scene.Run(Op::kDrawPrimitive, {0, 0, 1, 7, 0, 1, 4, 0, 0}, 3);
  scene.Run(Op::kDrawPrimitive, {4, 0, 0xFFFFFFFF});
  scene.Run(Op::kDrawPrimitive, {1, 0, 0xFFFFFFFF});
  scene.Run(Op::kSetVertexShader, {0});
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  CHECK(scene.sink.draws.empty());
  scene.Run(Op::kSetVertexShader, {0x112});
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  CHECK(scene.sink.draws.size() == 1);
  CHECK(scene.Ids() == Ids{"DP2-DRAW-001", "DP2-DRAW-001", "DP2-DRAW-003", "DP2-DRAW-006",
                           "DP2-DRAW-004", "DP2-FVF-011"});
}

TEST_CASE(
    "DRAWPRIMITIVE: stride 0 repeats a vertex, an unbound stream reads as 0, a deleted buffer is an error") {
  Scene scene;
  Bind(scene, kXyz, 0);
  scene.Run(Op::kDrawPrimitive, {4, 100, 10});
  CHECK(scene.sink.draws.size() == 1);
  scene.Collect(3, scene.device.OnSurfaceDestroy({.handle = kVertexBuffer}));
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  CHECK(scene.Ids() == Ids{});  // the rules of bindings report it
  scene.Run(Op::kSetStreamSource, {0, 0, 0});
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  CHECK(scene.sink.draws.size() == 2);
}

TEST_CASE("DRAWPRIMITIVE: user memory is the call's, and hides the other streams") {
  Scene scene;
  Bind(scene, kXyz);
  scene.Run(Op::kSetStreamSourceUm, {0, 12});
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  scene.Vertices(kXyz, 12, 3);
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  scene.Run(Op::kDrawPrimitive, {4, 1, 1});
  CHECK(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].draw.streams[0].bytes.data() == scene.vertices.data());
  CHECK(scene.Ids() == Ids{"DP2-DRAW-007", "DP2-DRAW-008"});
  scene.Run(Op::kSetStreamSource, {0, kVertexBuffer, 16});
  CHECK_FALSE(scene.state().streams[0].is_user_memory);
}

TEST_CASE("DRAWINDEXEDPRIMITIVE: start, base and the checks of both buffers") {
  Scene scene;
  Bind(scene, kXyz);
  scene.Run(Op::kDrawIndexedPrimitive, {4, static_cast<uint32_t>(-3), 0, 6, 3, 1});
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].primitives == Primitives{{0, 1, 2}});
  scene.Run(Op::kDrawIndexedPrimitive, {4, static_cast<uint32_t>(-4), 0, 6, 3, 1});
  scene.Run(Op::kDrawIndexedPrimitive, {4, 4, 0, 6, 0, 1});
  scene.Run(Op::kDrawIndexedPrimitive, {4, 0, 0, 6, 4, 1});
  scene.Run(Op::kDrawIndexedPrimitive, {4, 0, 0, 6, 0xFFFFFFFF, 1});
  scene.Run(Op::kSetIndices, {0, 0});
  scene.Run(Op::kDrawIndexedPrimitive, {4, 0, 0, 6, 0, 1});
  CHECK(scene.sink.draws.size() == 1);
  CHECK(scene.Ids() ==
        Ids{"DP2-DRAW-012", "DP2-DRAW-012", "DP2-DRAW-010", "DP2-DRAW-010", "DP2-DRAW-009"});
  Scene eight(8, 4);
  Bind(eight, kXyz);
  eight.Run(Op::kDrawIndexedPrimitive, {4, static_cast<uint32_t>(-3), 0, 6, 3, 1});
  CHECK(eight.Ids() == Ids{"DP2-DRAW-013"});
}

TEST_CASE("DRAWPRIMITIVE2: byte offsets, transformed vertices only") {
  Scene scene;
  Bind(scene, kXyzRhw);
  scene.Run(Op::kDrawPrimitive2, {4, 48, 1});
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].draw.streams[0].origin == 48);
  CHECK(scene.sink.draws[0].primitives == Primitives{{0, 1, 2}});
  scene.Run(Op::kDrawPrimitive2, {4, 52, 1});
  scene.Run(Op::kSetVertexShader, {kXyz});
  scene.Run(Op::kDrawPrimitive2, {4, 0, 1});
  CHECK(scene.Ids() == Ids{"DP2-DRAW-015", "DP2-DRAW-017"});
}

TEST_CASE("DRAWINDEXEDPRIMITIVE2: signed vertex offsets and index offsets in bytes") {
  Scene scene;
  Bind(scene, kXyzRhw);
  scene.Run(Op::kDrawIndexedPrimitive2, {4, 16, 0, 6, 4, 1});
  // Indices 2, 3, 4 at 16 + index * 16.
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].draw.streams[0].origin == 16);
  CHECK(scene.sink.draws[0].primitives == Primitives{{2, 3, 4}});
  // Indices 3, 4, 5 at index * 16 - 40: bytes 8, 24, 40.
  scene.Run(Op::kDrawIndexedPrimitive2, {4, static_cast<uint32_t>(-40), 0, 6, 6, 1});
  REQUIRE(scene.sink.draws.size() == 2);
  CHECK(scene.sink.draws[1].draw.streams[0].origin == 8);
  CHECK(scene.sink.draws[1].primitives == Primitives{{0, 1, 2}});
  scene.Run(Op::kDrawIndexedPrimitive2, {4, static_cast<uint32_t>(-49), 0, 6, 6, 1});
  scene.Run(Op::kDrawIndexedPrimitive2, {4, 0, 0, 6, 3, 1});
  CHECK(scene.Ids() == Ids{"DP2-DRAW-012", "DP2-DRAW-014"});
}

TEST_CASE("CLIPPEDTRIANGLEFAN: a fan of stream 0 with edge flags") {
  Scene scene;
  Bind(scene, kXyzRhw);
  scene.Run(Op::kClippedTriangleFan, {32, 0b0101, 2});
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].primitives == Primitives{{1, 2, 0}, {2, 3, 0}});
  CHECK(scene.sink.draws[0].edges == std::vector<uint8_t>{kEdge20, kEdge01});
}

TEST_CASE("SETSTREAMSOURCEFREQ: instances of indexed draws, dividers of the others") {
  Scene scene;
  Bind(scene, kXyz);
  scene.Buffer(22, std::vector<uint8_t>(8));
  scene.Run(TokenBytes()
                .Op(Op::kCreateVertexShaderDecl, 1)
                .U32({3, 2})
                .U16({0, 0})
                .U8({2, 0, 0, 0})
                .U16({1, 0})
                .U8({4, 0, 10, 0}));
  scene.Run(Op::kSetVertexShaderDecl, {3});
  scene.Run(Op::kSetStreamSource, {1, 22, 4});
  scene.Run(Op::kSetStreamSourceFreq, {0, 0x40000004, 1, 0x80000002}, 2);
  scene.Run(Op::kDrawIndexedPrimitive, {4, 0, 0, 6, 0, 1});
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].draw.instance_count == 4);
  CHECK(scene.sink.draws[0].draw.streams[1].divider == 0x80000002);
  // Instance 4 would read element 2 of two.
  scene.Run(Op::kSetStreamSourceFreq, {0, 0x40000005});
  scene.Run(Op::kDrawIndexedPrimitive, {4, 0, 0, 6, 0, 1});
  CHECK(scene.Ids() == Ids{"DP2-DRAW-012"});
  // Without indices nothing is instanced: element 0 serves all vertices.
  scene.Run(Op::kSetStreamSourceFreq, {0, 0x40000004, 1, 0x80000002}, 2);
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  CHECK(scene.sink.draws.size() == 2);
  CHECK(scene.sink.draws[1].draw.instance_count == 1);
  // No vertices are promised: nothing is drawn.
  scene.Run(Op::kDrawIndexedPrimitive, {4, 0, 0, 0, 0, 1});
  CHECK(scene.sink.draws.size() == 2);
  // Six vertices share three colours, two each: one too many.
  scene.Run(Op::kSetStreamSourceFreq, {0, 1, 1, 2}, 2);
  scene.Run(Op::kDrawPrimitive, {4, 0, 1});
  CHECK(scene.sink.draws.size() == 3);
  scene.Run(Op::kDrawPrimitive, {4, 0, 2});
  CHECK(scene.Ids() == Ids{"DP2-DRAW-012", "DP2-DRAW-006"});
}

TEST_CASE("Bindings: what is refused") {
  Scene scene;
  Bind(scene, kXyz);
  scene.Texture(5, kA8R8G8B8, 4);
  scene.Run(Op::kSetStreamSource, {16, kVertexBuffer, 16});
  scene.Run(Op::kSetStreamSource, {1, 99, 16});
  scene.Run(Op::kSetStreamSource, {1, 5, 16});
  scene.Run(Op::kSetStreamSource2, {1, kVertexBuffer, 100, 16});
  scene.Run(Op::kSetStreamSource2, {1, kVertexBuffer, 2, 16});
  scene.Run(Op::kSetStreamSourceUm, {1, 16});
  scene.Run(Op::kSetIndices, {kIndexBuffer, 3});
  scene.Run(Op::kSetStreamSourceFreq, {0, 0});
  CHECK(scene.Ids() == Ids{"DP2-BIND-001", "DP2-BIND-003", "DP2-BIND-003", "DP2-BIND-007",
                           "DP2-BIND-007", "DP2-BIND-004", "DP2-BIND-008", "DP2-BIND-010"});
  CHECK(scene.state().streams[1] == StreamBinding{});
  CHECK(scene.state().indices == IndexBinding{kIndexBuffer, 2});
}

TEST_CASE("Targets: bound, unbound, refused") {
  Scene scene;
  scene.Create({.handle = 5,
                .kind = d3d::SurfaceKind::kTarget,
                .format = kR5G6B5,
                .width = 16,
                .height = 16});
  scene.Create({.handle = 6, .caps = kCapsTexture, .format = kA8R8G8B8, .width = 16, .height = 16});
  scene.Run(Op::kSetRenderTarget, {5, 0});
  CHECK(scene.context().targets == Targets{{5, 0, 0, 0}, 0});
  scene.Run(Op::kSetRenderTarget2, {3, kTarget, 0, 0}, 2);
  CHECK(scene.context().targets.colors == std::array<uint32_t, 4>{0, 0, 0, kTarget});
  scene.Run(Op::kSetDepthStencil, {kDepthSurface});
  CHECK(scene.context().targets.depth == kDepthSurface);
  CHECK(scene.findings.empty());
  scene.Run(Op::kSetRenderTarget, {0, 0});
  scene.Run(Op::kSetRenderTarget2, {0, kDepthSurface, 0, 6, 0, 99, 4, 5}, 4);
  scene.Run(Op::kSetDepthStencil, {5});
  CHECK(scene.Ids() ==
        Ids{"DP2-RT-001", "DP2-RT-002", "DP2-RT-002", "DP2-SURF-002", "DP2-RT-004", "DP2-RT-003"});
  CHECK(scene.context().targets.colors[0] == 0);
}
