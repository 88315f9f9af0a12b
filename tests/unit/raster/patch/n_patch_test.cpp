#include <doctest/doctest.h>

#include "../vertex/scene.h"
#include "raster/patch/patch.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::PrimitiveType;
using d3d::RenderState;
namespace fvf = d3d::fvf;

// One triangle; the normal of its second corner leans to the right.
struct Bent : Scene {
  bool limit_hit = false;
  uint64_t next = 0;

  explicit Bent(uint32_t more = 0) : Scene(fvf::kXyz | fvf::kNormal | more) {
    Set(RenderState::PatchSegments, 2.0F);
    Primitives(PrimitiveType::TriangleList, 1);
  }
  void Corners() { Floats({0, 0, 0, 0, 0, 1, 1, 0, 0, 0.6F, 0, 0.8F, 0, 1, 0, 0, 0, 1}); }
  Tessellated Tessellate() { return TessellateNPatches(context, draw, next, 128, limit_hit); }
};

Float4 Value(const Tessellated& result, int64_t vertex, size_t element) {
  const device::Draw draw = result.ToDraw({});
  return FetchVertex(draw, vertex, 0).values[element];
}

void CheckNear(const Float4& actual, const Float4& expected) {
  for (size_t i = 0; i < 3; ++i)
    CHECK(actual[i] == doctest::Approx(expected[i]).epsilon(1e-5));
}

constexpr int64_t kMiddleOf12 = 2;  // row 1, last

}  // namespace

TEST_CASE("N-patches: the cubic runs through the corners and bends between them") {
  Bent scene;
  scene.Corners();
  const Tessellated result = scene.Tessellate();
  REQUIRE(result.indices.size() == 4 * 3);
  CHECK(Value(result, 0, 0) == Float4{0, 0, 0, 1});
  CHECK(Value(result, 5, 0) == Float4{1, 0, 0, 1});
  CHECK(Value(result, 3, 0) == Float4{0, 1, 0, 1});
  // b210 = (1/3, 0, 0), b120 = (2.36/3, 0, 0.16): 1/8 P2 + 3/8 (b210 + b120).
  CheckNear(Value(result, kMiddleOf12, 0), {0.545F, 0, 0.06F, 1});
  CheckNear(Value(result, kMiddleOf12, 1), {0.3F, 0, 0.9F, 1});  // linear normals, not normalized
}

TEST_CASE("N-patches: the winding and first vertex of the triangle are kept") {
  Bent scene;
  scene.Corners();
  const Tessellated result = scene.Tessellate();
  CHECK(result.indices[0] == 0);
  CHECK(result.indices[1] == 2);  // towards the second corner
  CHECK(result.indices[2] == 1);
}

TEST_CASE("N-patches: linear positions, quadratic normals") {
  Bent scene;
  scene.Corners();
  scene.Set(RenderState::PositionDegree, 1);
  scene.Set(RenderState::NormalDegree, 2);
  const Tessellated result = scene.Tessellate();
  CheckNear(Value(result, kMiddleOf12, 0), {0.5F, 0, 0, 1});
  // n110 = normalize(N1 + N2 - 1.2 (P2 - P1)) = (-0.6, 0, 1.8) / 1.8973666.
  CheckNear(Value(result, kMiddleOf12, 1), {0.102697F, 0, 0.994713F, 1});
  CheckNear(Value(result, 5, 1), {0.6F, 0, 0.8F, 1});
}

TEST_CASE("N-patches: the other elements are linear") {
  Bent scene(fvf::kDiffuse);
  scene.Floats({0, 0, 0, 0, 0, 1})
      .Word(0xFF000000U)
      .Floats({1, 0, 0, 0.6F, 0, 0.8F})
      .Word(0xFFFF0000U);
  scene.Floats({0, 1, 0, 0, 0, 1}).Word(0xFF000000U);
  const Tessellated result = scene.Tessellate();
  CHECK(Value(result, kMiddleOf12, 2) == Float4{0.5F, 0, 0, 1});
}

TEST_CASE("UsesNPatches: triangles with normals while the count makes more than one of each") {
  Bent scene;
  CHECK(UsesNPatches(scene.context, scene.draw));
  scene.Set(RenderState::PatchSegments, 1.0F);
  CHECK_FALSE(UsesNPatches(scene.context, scene.draw));
  scene.Set(RenderState::EnableAdaptiveTessellation, 1);
  CHECK(UsesNPatches(scene.context, scene.draw));
  scene.Set(RenderState::PatchSegments, 0.5F);
  CHECK_FALSE(UsesNPatches(scene.context, scene.draw));
  scene.context.runtime_version = 4;  // DX8
  scene.Set(RenderState::PatchSegments, 3.0F);
  CHECK(UsesNPatches(scene.context, scene.draw));
  scene.draw.type = PrimitiveType::LineList;
  CHECK_FALSE(UsesNPatches(scene.context, scene.draw));

  Scene flat(fvf::kXyz);
  flat.Set(RenderState::PatchSegments, 4.0F);
  flat.Primitives(PrimitiveType::TriangleList, 1);
  CHECK_FALSE(UsesNPatches(flat.context, flat.draw));
}

TEST_CASE("N-patches: batches are bounded and go through all instances") {
  Bent scene;
  scene.Corners();
  scene.Set(RenderState::PatchSegments, 200.0F);
  scene.draw.primitive_count = 3;
  scene.draw.instance_count = 4;
  CHECK(NPatchCount(scene.draw) == 12);
  const Tessellated first = scene.Tessellate();
  CHECK(scene.limit_hit);
  CHECK(scene.next == 8);  // 8385 vertices each, the batch is full after 65536
  CHECK(first.indices.size() == 8 * 128 * 128 * 3);
  CHECK(scene.Tessellate().indices.size() == 4 * 128 * 128 * 3);
  CHECK(scene.next == 12);
  CHECK(scene.Tessellate().indices.empty());
}
