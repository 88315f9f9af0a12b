#include <doctest/doctest.h>

#include <limits>

#include "../device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

constexpr uint32_t kBuffer = 20;
constexpr uint32_t kSegs = 1, kInfo = 2;

// Vertices of one float3 each: x is the number of the vertex.
void Bind(Scene& scene, uint32_t count) {
  TokenBytes vertices;
  for (uint32_t i = 0; i < count; ++i)
    vertices.F32({static_cast<float>(i), 0, 0});
  scene.Buffer(kBuffer, vertices.bytes());
  scene.Run(Op::kSetVertexShaderDecl, {0x002});
  scene.Run(Op::kSetStreamSource, {0, kBuffer, 12});
}

// start width, start height, width, height, stride, basis, degree.
TokenBytes Rect(uint32_t handle, std::initializer_list<uint32_t> info) {
  return TokenBytes().Op(Op::kDrawRectPatch, 1).U32({handle, kInfo}).U32(info);
}
constexpr std::initializer_list<uint32_t> kBilinear = {1, 1, 2, 2, 4, 0, 1};
TokenBytes Cached(uint32_t handle, Op op = Op::kDrawRectPatch) {
  return TokenBytes().Op(op, 1).U32({handle, 0});
}
TokenBytes Segments(float a, float b, float c, float d) {
  return TokenBytes()
      .Op(Op::kDrawRectPatch, 1)
      .U32({0, kSegs | kInfo})
      .F32({a, b, c, d})
      .U32(kBilinear);
}

float XOf(const std::vector<uint8_t>& bytes, uint32_t stride, uint32_t vertex) {
  return Load<float>(bytes.data() + size_t{vertex} * stride);
}

}  // namespace

TEST_CASE("Patches: the dynamic one is drawn from the streams and not cached") {
  Scene scene;
  Bind(scene, 12);
  scene.Run(Rect(0, kBilinear));
  REQUIRE(scene.sink.patches.size() == 1);
  const PatchDraw& patch = scene.sink.patches[0];
  CHECK(patch.info == PatchInfo{false, 1, 1, 2, 2, 4, 0, 1});
  CHECK(patch.segments == std::array<float, 4>{1, 1, 1, 1});
  CHECK(patch.points.streams[0].stride == 12);
  CHECK(scene.context().patches.empty());
  CHECK(scene.findings.empty());
}

TEST_CASE("Patches: a new one is cached with its control points, the streams do not matter then") {
  Scene scene;
  Bind(scene, 12);
  scene.Run(Rect(7, kBilinear));
  scene.Run(Op::kSetStreamSource, {0, 0, 0});
  scene.Run(TokenBytes().Op(Op::kDrawRectPatch, 1).U32({7, kSegs}).F32({2, 3, 4, 5}));
  REQUIRE(scene.sink.patches.size() == 2);
  const PatchDraw& patch = scene.sink.patches[1];
  CHECK(patch.info == PatchInfo{false, 0, 0, 2, 2, 2, 0, 1});
  CHECK(patch.segments == std::array<float, 4>{2, 3, 4, 5});
  // Points (1 + j) * 4 + 1 + i: 5, 6, 9, 10.
  const std::vector<uint8_t>& points = scene.sink.patch_bytes[1];
  const uint32_t stride = patch.points.streams[0].stride;
  REQUIRE(points.size() == size_t{4} * stride);
  CHECK(XOf(points, stride, 0) == 5);
  CHECK(XOf(points, stride, 1) == 6);
  CHECK(XOf(points, stride, 2) == 9);
  CHECK(XOf(points, stride, 3) == 10);
  CHECK(scene.findings.empty());
}

TEST_CASE("Patches: unknown handles draw nothing and create nothing, DELETERTPATCH forgets") {
  Scene scene;
  Bind(scene, 12);
  scene.Run(Cached(7));
  scene.Run(Cached(0));
  scene.Run(Rect(7, kBilinear));
  scene.Run(Cached(7, Op::kDrawTriPatch));
  scene.Run(Op::kRenderState, {169, 7});
  CHECK(scene.context().object_bytes == 0);
  scene.Run(Cached(7));
  scene.Run(Op::kRenderState, {169, 7});
  CHECK(scene.sink.patches.size() == 1);
  CHECK(scene.Ids() ==
        Ids{"DP2-PATCH-003", "DP2-PATCH-002", "DP2-PATCH-005", "DP2-PATCH-003", "DP2-PATCH-023"});
}

TEST_CASE("Patches: a triangle replaces a rectangle of the same handle") {
  Scene scene;
  Bind(scene, 12);
  scene.Run(Rect(7, kBilinear));
  scene.Run(TokenBytes().Op(Op::kDrawTriPatch, 1).U32({7, kInfo, 2, 3, 0, 1}));
  scene.Run(TokenBytes().Op(Op::kDrawTriPatch, 1).U32({7, kSegs}).F32({1, 2, 3}));
  REQUIRE(scene.sink.patches.size() == 3);
  CHECK(scene.sink.patches[1].info == PatchInfo{true, 2, 0, 3, 1, 0, 0, 1});
  CHECK(XOf(scene.sink.patch_bytes[2], scene.sink.patches[2].points.streams[0].stride, 2) == 4);
  CHECK(scene.findings.empty());
}

TEST_CASE("Patches: segment counts") {
  Scene scene;
  Bind(scene, 12);
  const float infinity = std::numeric_limits<float>::infinity();
  scene.Run(Segments(1, 2, std::numeric_limits<float>::quiet_NaN(), 1));
  scene.Run(Segments(infinity, 1, 1, 1));
  scene.Run(Segments(1, 0, 1, 1));
  scene.Run(Segments(1, 1, 1, 10000));
  scene.Run(Op::kRenderState, {164, Bits(-1.0F)});
  scene.Run(Rect(0, kBilinear));
  CHECK(scene.sink.patches.empty());
  scene.Run(Segments(0.5F, 1, 1, 9999));
  CHECK(scene.sink.patches.size() == 1);
  CHECK(scene.Ids() ==
        Ids{"DP2-PATCH-006", "DP2-PATCH-006", "DP2-PATCH-007", "DP2-PATCH-009", "DP2-PATCH-011"});
}

TEST_CASE("Patches: infos that cannot be drawn") {
  Scene scene;
  Bind(scene, 12);
  scene.Run(Rect(0, {0, 0, 2, 2, 4, 3, 1}));
  scene.Run(Rect(0, {0, 0, 4, 4, 4, 0, 2}));
  scene.Run(Rect(0, {0, 0, 4, 4, 4, 2, 1}));
  scene.Run(Rect(0, {0, 0, 3, 4, 4, 1, 3}));
  scene.Run(Rect(0, {0, 0, 5, 4, 5, 0, 3}));
  scene.Run(Rect(0, {0, 0, 4, 4, 4, 0, 3}));
  scene.Run(Rect(0, {0, 0xFFFFFFFF, 4, 4, 0xFFFFFFFF, 0, 3}));
  scene.Run(Rect(0, {0, 0, 0x10000, 0x10000, 0, 1, 1}));
  scene.Run(TokenBytes().Op(Op::kDrawTriPatch, 1).U32({0, kInfo, 0, 3, 1, 1}));
  scene.Run(TokenBytes().Op(Op::kDrawTriPatch, 1).U32({0, kInfo, 0, 9, 0, 3}));
  scene.Run(Op::kSetStreamSource, {0, 0, 0});
  scene.Run(Rect(0, kBilinear));
  CHECK(scene.sink.patches.empty());
  CHECK(scene.Ids() == Ids{"DP2-PATCH-012", "DP2-PATCH-012", "DP2-PATCH-013", "DP2-PATCH-014",
                           "DP2-PATCH-015", "DP2-PATCH-018", "DP2-PATCH-018", "DP2-PATCH-018",
                           "DP2-PATCH-019", "DP2-PATCH-020", "DP2-PATCH-021"});
}
