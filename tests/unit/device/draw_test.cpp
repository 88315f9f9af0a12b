// Legacy and immediate draws, and clears.
#include "device/draw.h"

#include <doctest/doctest.h>

#include <limits>

#include "device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;
using Primitives = std::vector<std::vector<int64_t>>;

namespace {

// The primitives of one token over 32 vertices.
Primitives Drawn(const TokenBytes& token) {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 32);
  scene.Run(token);
  CHECK(scene.findings.empty());
  Primitives all;
  for (const SeenDraw& draw : scene.sink.draws)
    all.insert(all.end(), draw.primitives.begin(), draw.primitives.end());
  return all;
}

}  // namespace

// The pictures of 3.2.
TEST_CASE("Legacy draws: the worked pictures of the documents") {
  CHECK(Drawn(TokenBytes().Op(Op::kPoints, 2).U16({3, 2, 4, 7})) ==
        Primitives{{2}, {3}, {4}, {7}, {8}, {9}, {10}});
  CHECK(Drawn(TokenBytes().Op(Op::kLineList, 3).U16({0})) == Primitives{{0, 1}, {2, 3}, {4, 5}});
  CHECK(Drawn(TokenBytes().Op(Op::kLineStrip, 3).U16({4})) == Primitives{{4, 5}, {5, 6}, {6, 7}});
  CHECK(Drawn(TokenBytes().Op(Op::kIndexedLineList2, 2).U16({3, 0, 4, 5, 6})) ==
        Primitives{{3, 7}, {8, 9}});
  CHECK(Drawn(TokenBytes().Op(Op::kTriangleFan, 4).U16({2})) ==
        Primitives{{3, 4, 2}, {4, 5, 2}, {5, 6, 2}, {6, 7, 2}});
  CHECK(Drawn(TokenBytes().Op(Op::kTriangleStrip, 3).U16({0})) ==
        Primitives{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}});
  CHECK(Drawn(TokenBytes().Op(Op::kIndexedTriangleStrip, 3).U16({0, 1, 3, 6, 4, 5})) ==
        Primitives{{1, 3, 6}, {3, 4, 6}, {6, 4, 5}});
  CHECK(Drawn(TokenBytes().Op(Op::kIndexedTriangleList2, 2).U16({2, 3, 4, 5, 0, 1, 2})) ==
        Primitives{{5, 6, 7}, {2, 3, 4}});
}

TEST_CASE("Legacy draws: the other tokens") {
  CHECK(Drawn(TokenBytes().Op(Op::kTriangleList, 2).U16({4})) == Primitives{{4, 5, 6}, {7, 8, 9}});
  CHECK(Drawn(TokenBytes().Op(Op::kIndexedLineList, 1).U16({9, 2})) == Primitives{{9, 2}});
  CHECK(Drawn(TokenBytes().Op(Op::kIndexedLineStrip, 2).U16({1, 5, 4, 3})) ==
        Primitives{{6, 5}, {5, 4}});
  CHECK(Drawn(TokenBytes().Op(Op::kIndexedTriangleFan, 2).U16({1, 0, 4, 3, 2})) ==
        Primitives{{5, 4, 1}, {4, 3, 1}});
  CHECK(Drawn(TokenBytes().Op(Op::kTriangleList, 0).U16({4})).empty());
}

TEST_CASE("INDEXEDTRIANGLELIST: edges of wFlags") {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 8);
  scene.Run(TokenBytes()
                .Op(Op::kIndexedTriangleList, 3)
                .U16({0, 1, 2, 0x100, 2, 3, 4, 0x700, 4, 5, 6, 0x400}));
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].primitives == Primitives{{0, 1, 2}, {2, 3, 4}, {4, 5, 6}});
  CHECK(scene.sink.draws[0].edges == std::vector<uint8_t>{kEdge01, kAllEdges, kEdge20});
}

TEST_CASE("Legacy draws: what they hand over") {
  Scene scene(7, 3);
  scene.Vertices(kXyzRhwDiffuse, 24, 8);
  scene.Run(TokenBytes().Op(Op::kTriangleList, 1).U16({2}));
  REQUIRE(scene.sink.draws.size() == 1);
  const SeenDraw& seen = scene.sink.draws[0];
  CHECK(seen.layout.is_transformed);
  CHECK(seen.layout.fvf == kXyzRhwDiffuse);
  CHECK(seen.draw.streams[0].stride == 24);
  CHECK(seen.draw.streams[0].bytes.data() == scene.vertices.data());
  CHECK(seen.draw.event == 10);
  CHECK(seen.draw.offset == 0x100);
}

TEST_CASE("Legacy draws: runs and strips outside the vertices are skipped") {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 6);
  scene.Run(TokenBytes().Op(Op::kTriangleList, 2).U16({1}));
  scene.Run(TokenBytes().Op(Op::kPoints, 2).U16({1, 6, 1, 5}));
  scene.Run(TokenBytes().Op(Op::kIndexedTriangleStrip, 1).U16({4, 0, 1, 2}));
  CHECK(scene.sink.draws.size() == 1);
  CHECK(scene.Ids() == Ids{"DP2-PRIM-001", "DP2-PRIM-001", "DP2-PRIM-002"});
  CHECK(scene.findings.items()[1].path == "commands/0/records/0");
}

TEST_CASE("Legacy draws: an indexed list loses only the primitives without vertices") {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 6);
  scene.Run(TokenBytes()
                .Op(Op::kIndexedTriangleList, 4)
                .U16({0, 1, 2, 0x700, 3, 4, 6, 0x700, 3, 4, 5, 0x200, 5, 4, 3, 0x100}));
  REQUIRE(scene.sink.draws.size() == 2);
  CHECK(scene.sink.draws[0].primitives == Primitives{{0, 1, 2}});
  CHECK(scene.sink.draws[1].primitives == Primitives{{3, 4, 5}, {5, 4, 3}});
  CHECK(scene.sink.draws[1].edges == std::vector<uint8_t>{kEdge12, kEdge01});
  CHECK(scene.Ids() == Ids{"DP2-PRIM-002"});
  CHECK(scene.findings.items()[0].offset == 0x100 + 4 + 8);
}

TEST_CASE(
    "Legacy draws: announced vertices without bytes are not drawn, which the call is to blame for") {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 6);
  scene.call.vertices = scene.call.vertices.first(99);
  scene.Run(TokenBytes().Op(Op::kTriangleList, 1).U16({2}));
  scene.Run(TokenBytes().Op(Op::kTriangleList, 1).U16({1}));
  CHECK(scene.sink.draws.size() == 1);
  CHECK(scene.Ids() == Ids{});
  scene.Run(TokenBytes().Op(Op::kTriangleList, 1).U16({4}));
  CHECK(scene.Ids() == Ids{"DP2-PRIM-001"});
}

TEST_CASE("Legacy draws: formats that cannot be drawn") {
  const auto ids = [](uint32_t level, uint32_t fvf, uint32_t size) {
    Scene scene(level, level == 9 ? 5 : 3);
    scene.Vertices(fvf, size, 3);
    scene.Run(TokenBytes().Op(Op::kTriangleList, 1).U16({0}));
    CHECK(scene.sink.draws.empty());
    return scene.Ids();
  };
  CHECK(ids(9, 0x44, 0) == Ids{"DP2-PRIM-009"});
  CHECK(ids(9, 0x40, 32) == Ids{"DP2-FVF-001"});
  CHECK(ids(9, 0x45, 32) == Ids{"DP2-FVF-002"});
  CHECK(ids(9, 0x14, 64) == Ids{"DP2-FVF-003"});
  CHECK(ids(9, 0x902, 256) == Ids{"DP2-FVF-004"});
  CHECK(ids(7, 0x1006, 64) == Ids{"DP2-FVF-005"});
  CHECK(ids(9, 0x1002, 64) == Ids{"DP2-FVF-007"});
  CHECK(ids(9, 0x9006, 64) == Ids{"DP2-FVF-008"});
  CHECK(ids(6, 0x42, 32) == Ids{"DP2-FVF-013"});
}

TEST_CASE("Legacy draws: what lies after the size of a vertex is read where it is there") {
  Scene scene(9, 5);
  scene.Vertices(0x44, 19, 3);
  scene.Run(TokenBytes().Op(Op::kTriangleList, 1).U16({0}));
  CHECK(scene.sink.draws.size() == 1);
  CHECK(scene.Ids() == Ids{"DP2-FVF-011"});
}

TEST_CASE("Draws: the number of primitives is limited") {
  Scene scene(9, 5, {.surfaces = {}, .max_primitives = 2});
  scene.Vertices(kXyzRhwDiffuse, 20, 9);
  scene.Run(TokenBytes().Op(Op::kTriangleList, 3).U16({0}));
  scene.Run(TokenBytes().Op(Op::kTriangleList, 2).U16({0}));
  CHECK(scene.sink.draws.size() == 1);
  CHECK(scene.Ids() == Ids{"REPLAY-DRAW-001"});
}

TEST_CASE("TRIANGLEFAN_IMM: vertices in the token, outline edges of the mask") {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 0);
  TokenBytes token;
  token.Op(Op::kTriangleFanImm, 3).U32({0b10110});
  for (uint32_t i = 0; i < 5; ++i)
    token.U32({i, 0, 0, 0, 0});
  scene.Run(token);
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].primitives == Primitives{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}});
  // Bit 0: V0-V1 off; 1: V1-V2 on; 2: V2-V3 on; 3: V3-V4 off; 4: V4-V0 on. Interior edges are never drawn.
  CHECK(scene.sink.draws[0].edges == std::vector<uint8_t>{kEdge01, kEdge01, kEdge12});
  CHECK(scene.sink.draws[0].draw.streams[0].bytes.size() == 100);
}

TEST_CASE("Fan edges: those beyond 32 are on") {
  Draw draw;
  draw.type = d3d::PrimitiveType::TriangleFan;
  draw.primitive_count = 40;
  draw.edges = EdgeSource::kFanMask;
  draw.fan_edges = 0;
  CHECK(Assemble(draw, 30).edges == 0);
  CHECK(Assemble(draw, 31).edges == kEdge01);
  CHECK(Assemble(draw, 39).edges == (kEdge01 | kEdge12));
}

TEST_CASE("LINELIST_IMM, and immediate draws that cannot be drawn") {
  Scene scene;
  scene.Vertices(kXyzRhwDiffuse, 20, 0);
  TokenBytes token;
  token.Op(Op::kLineListImm, 1);
  for (uint32_t i = 0; i < 2; ++i)
    token.U32({i, 0, 0, 0, 0});
  scene.Run(token);
  REQUIRE(scene.sink.draws.size() == 1);
  CHECK(scene.sink.draws[0].primitives == Primitives{{0, 1}});
  scene.call.vertex_type = 0x42;
  scene.Run(token);
  scene.call.vertex_size = 0;
  scene.Run(TokenBytes().Op(Op::kLineListImm, 1));
  CHECK(scene.Ids() == Ids{"DP2-IMM-006", "DP2-IMM-002"});
}

TEST_CASE("CLEAR: rectangles and flags") {
  Scene scene;
  scene.Run(Op::kClear, {7, 0xFF00FF00, Bits(0.5F), 3, 0, 0, 4, 4, 1, 2, 3, 4}, 2);
  REQUIRE(scene.sink.clears.size() == 1);
  const ClearDraw& clear = scene.sink.clears[0];
  CHECK(clear.flags == 7);
  CHECK(clear.color == 0xFF00FF00);
  CHECK(clear.depth == 0.5F);
  CHECK(clear.stencil == 3);
  CHECK(clear.rects == std::vector<d3d::Rect>{{0, 0, 4, 4}, {1, 2, 3, 4}});
  scene.Run(Op::kClear, {1, 0, 0, 0, 9, 9, 9, 9}, 0);  // no rectangles, no COMPUTERECTS: nothing
  scene.Run(Op::kClear, {9, 0, 0, 0, 9, 9, 9, 9}, 0);  // the whole viewport
  REQUIRE(scene.sink.clears.size() == 2);
  CHECK(scene.sink.clears[1].rects.empty());
  CHECK(scene.findings.empty());
}

TEST_CASE("CLEAR: a depth outside 0 to 1 is reported and clamped") {
  Scene scene;
  scene.Create(
      {.handle = 8, .kind = d3d::SurfaceKind::kDepth, .format = 80, .width = 16, .height = 16});
  scene.Run(Op::kSetDepthStencil, {8});
  scene.Run(Op::kClear, {2, 0, Bits(1.5F), 0, 0, 0, 1, 1});
  scene.Run(Op::kClear, {2, 0, Bits(-1.0F), 0, 0, 0, 1, 1});
  scene.Run(Op::kClear, {2, 0, 0x7FC00000, 0, 0, 0, 1, 1});
  REQUIRE(scene.sink.clears.size() == 3);
  CHECK(scene.sink.clears[0].depth == 1.0F);
  CHECK(scene.sink.clears[1].depth == 0.0F);
  CHECK(scene.sink.clears[2].depth == 0.0F);
  CHECK(scene.Ids() == Ids{"DP2-CLEAR-007", "DP2-CLEAR-007", "DP2-CLEAR-007"});
}

TEST_CASE("CLEAR: what is refused") {
  Scene scene;
  scene.Run(Op::kClear, {0x11, 0, 0, 0, 0, 0, 1, 1});
  scene.Run(Op::kClear, {8, 0, 0, 0, 0, 0, 1, 1});
  scene.Run(Op::kClear, {9, 0, 0, 0, 5, 0, 1, 1});  // inverted: not the whole viewport either
  scene.Run(Op::kSetDepthStencil, {0});
  scene.Run(Op::kClear, {3, 0, 0, 0, 0, 0, 1, 1});
  scene.Create(
      {.handle = 8, .kind = d3d::SurfaceKind::kDepth, .format = 80, .width = 16, .height = 16});
  scene.Run(Op::kSetDepthStencil, {8});
  scene.Run(Op::kClear, {4, 0, 0, 0, 0, 0, 1, 1});
  CHECK(scene.sink.clears.empty());
  CHECK(scene.Ids() ==
        Ids{"DP2-CLEAR-001", "DP2-CLEAR-002", "DP2-CLEAR-009", "DP2-CLEAR-005", "DP2-CLEAR-006"});
}
