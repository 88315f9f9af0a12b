#include "raster/patch/patch.h"

#include <doctest/doctest.h>

#include "../vertex/scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::DeclMethod;
using d3d::DeclUsage;
namespace fvf = d3d::fvf;

struct PatchScene : Scene {
  device::PatchDraw patch;
  bool limit_hit = false;

  explicit PatchScene(uint32_t format = fvf::kXyz) : Scene(format) {}
  // A net of width x height points at (column, -row, 0): u right, v down.
  void Net(uint32_t width, uint32_t height, uint32_t basis, uint32_t degree) {
    for (uint32_t r = 0; r < height; ++r) {
      for (uint32_t c = 0; c < width; ++c)
        Floats({static_cast<float>(c), -static_cast<float>(r), 0});
    }
    patch.info = {
        .width = width, .height = height, .stride = width, .basis = basis, .degree = degree};
  }
  void AddElement(uint32_t offset, DeclMethod method, DeclUsage usage) {
    layout.elements.push_back({.offset = static_cast<uint16_t>(offset),
                               .type = 2,
                               .method = static_cast<uint8_t>(method),
                               .usage = static_cast<uint8_t>(usage)});
  }
  Tessellated Tessellate(std::array<float, 4> segments) {
    patch.segments = segments;
    patch.points = draw;
    return TessellatePatch(context, patch, 128, limit_hit);
  }
};

Float4 Value(const Tessellated& result, int64_t vertex, size_t element = 0) {
  const device::Draw draw = result.ToDraw({});
  return FetchVertex(draw, vertex, 0).values[element];
}

void CheckNear(const Float4& actual, const Float4& expected) {
  for (size_t i = 0; i < 4; ++i)
    CHECK(actual[i] == doctest::Approx(expected[i]).epsilon(1e-6));
}

}  // namespace

TEST_CASE("Rectangle patch: corners and middle of a linear net") {
  PatchScene scene;
  scene.Net(2, 2, 0, 1);
  const Tessellated result = scene.Tessellate({2, 2, 2, 2});
  REQUIRE(result.indices.size() == 8 * 3);
  CHECK(result.stride == 12);
  CHECK(Value(result, 0) == Float4{0, 0, 0, 1});
  CHECK(Value(result, 4) == Float4{0.5F, -0.5F, 0, 1});
  CHECK(Value(result, 8) == Float4{1, -1, 0, 1});
}

TEST_CASE("Rectangle patch: spans of mosaics and splines follow one another") {
  PatchScene bezier;
  bezier.Net(7, 4, 0, 3);
  CheckNear(Value(bezier.Tessellate({4, 1, 4, 1}), 1), {1.5F, 0, 0, 1});  // u = 1/4 of 6 columns
  CheckNear(Value(bezier.Tessellate({4, 1, 4, 1}), 4), {6, 0, 0, 1});
  PatchScene spline;
  spline.Net(6, 4, 1, 3);  // 3 spans from column 1 to column 4
  CheckNear(Value(spline.Tessellate({3, 1, 3, 1}), 0), {1, -1, 0, 1});
  CheckNear(Value(spline.Tessellate({3, 1, 3, 1}), 2), {3, -1, 0, 1});
  PatchScene rom;
  rom.Net(5, 4, 2, 3);
  CheckNear(Value(rom.Tessellate({2, 1, 2, 1}), 1), {2, -1, 0, 1});
  CheckNear(Value(rom.Tessellate({2, 1, 2, 1}), 2), {3, -1, 0, 1});
}

TEST_CASE("Rectangle patch: start offsets and stride choose the control points") {
  PatchScene scene;
  scene.Net(4, 4, 0, 1);
  scene.patch.info = {.start_width = 1,
                      .start_height = 2,
                      .width = 2,
                      .height = 2,
                      .stride = 4,
                      .basis = 0,
                      .degree = 1};
  const Tessellated result = scene.Tessellate({1, 1, 1, 1});
  CHECK(Value(result, 0) == Float4{1, -2, 0, 1});
  CHECK(Value(result, 3) == Float4{2, -3, 0, 1});
}

TEST_CASE("Rectangle patch: what does not fit draws nothing, points outside the buffer are safe") {
  PatchScene scene;
  scene.Net(6, 4, 0, 3);
  CHECK(scene.Tessellate({1, 1, 1, 1}).indices.empty());
  scene.patch.info = {.width = 4, .height = 4, .stride = 4, .basis = 0, .degree = 2};
  CHECK(scene.Tessellate({1, 1, 1, 1}).indices.empty());
  scene.patch.info = {
      .width = 0xFFFFFFFE, .height = 0xFFFFFFFE, .stride = 0xFFFFFFFF, .basis = 1, .degree = 3};
  CHECK(scene.Tessellate({1, 1, 1, 1}).indices.size() == 6);
  scene.patch.info.start_width = 5;
  CHECK(scene.Tessellate({1, 1, 1, 1}).indices.empty());
}

TEST_CASE("Rectangle patch: the limit of segments is reported") {
  PatchScene scene;
  scene.Net(2, 2, 0, 1);
  CHECK(scene.Tessellate({1000, 1, 1, 1}).indices.size() == 128 * 6);
  CHECK(scene.limit_hit);
}

TEST_CASE(
    "Rectangle patch: declaration methods generate partial derivatives, normal and parameters") {
  PatchScene scene;
  scene.AddElement(0, DeclMethod::PartialU, DeclUsage::Tangent);
  scene.AddElement(0, DeclMethod::PartialV, DeclUsage::Binormal);
  scene.AddElement(0, DeclMethod::CrossUv, DeclUsage::Normal);
  scene.AddElement(0, DeclMethod::Uv, DeclUsage::Texcoord);
  scene.Net(7, 4, 0, 3);  // two spans along u
  const Tessellated result = scene.Tessellate({2, 1, 2, 1});
  CheckNear(Value(result, 4, 1), {6, 0, 0, 1});
  CheckNear(Value(result, 4, 2), {0, -3, 0, 1});
  CheckNear(Value(result, 4, 3), {0, 0, -1, 1});
  CheckNear(Value(result, 4, 4), {0.5F, 1, 0, 1});
  CHECK(result.layout.elements[4].type == 1);  // FLOAT2
  CHECK(result.layout.elements[4].method == 0);
}

TEST_CASE("Rectangle patch: colours are clamped, counts of components are kept") {
  PatchScene scene(fvf::kXyz | fvf::kDiffuse | 1U << fvf::kTexcountShift);
  for (uint32_t i = 0; i < 4; ++i)
    scene.Floats({0, 0, 0}).Word(0xFFFF0000U).Floats({2, 3});
  scene.patch.info = {.width = 2, .height = 2, .stride = 2, .basis = 0, .degree = 1};
  const Tessellated result = scene.Tessellate({1, 1, 1, 1});
  CHECK(Value(result, 0, 1) == Float4{1, 0, 0, 1});
  CHECK(Value(result, 0, 2) == Float4{2, 3, 0, 1});
  CHECK(result.stride == 12 + 16 + 8);
  CHECK(result.layout.fvf == scene.layout.fvf);
}

TEST_CASE("Rectangle patch: u right and v down is clockwise, drawn by the ordinary pipeline") {
  PatchScene scene;
  scene.Net(2, 2, 0, 1);
  const Tessellated result = scene.Tessellate({1, 1, 1, 1});
  Scene drawn(fvf::kXyz);
  drawn.draw = result.ToDraw(scene.draw);
  const RecordingSink sink = Run(drawn);
  REQUIRE(sink.polygons.size() == 2);
  for (const auto& polygon : sink.polygons) {
    const std::vector<ScreenVertex>& v = polygon.vertices;
    CHECK((v[1].x - v[0].x) * (v[2].y - v[0].y) - (v[2].x - v[0].x) * (v[1].y - v[0].y) > 0);
  }
}

TEST_CASE("Rectangle patch: adaptive edges by their corners") {
  PatchScene scene;
  scene.Set(d3d::RenderState::EnableAdaptiveTessellation, 1);
  scene.Set(d3d::RenderState::MaxTessellationLevel, 4.0F);
  scene.Floats({0, 0, 1, 1, 0, 1, 0, -1, 2, 1, -1, 2});
  scene.patch.info = {.width = 2, .height = 2, .stride = 2, .basis = 0, .degree = 1};
  // Levels 4, 4, 2, 2: row 0 has 4 segments, the columns 3, the last row 2.
  CHECK(scene.Tessellate({1, 1, 1, 1}).indices.size() == 4 * 3 * 6);
}

TEST_CASE("Triangle patch: corners, generated parameters and validity") {
  PatchScene scene;
  scene.AddElement(0, DeclMethod::Uv, DeclUsage::Texcoord);
  scene.AddElement(0, DeclMethod::CrossUv, DeclUsage::Normal);
  scene.Floats({9, 9, 9, 0, 0, 0, 0, -1, 0, 1, -1,
                0});  // apex, bottom left, bottom right, one after the other
  scene.patch.info = {.is_triangle = true, .start_width = 1, .width = 3, .basis = 0, .degree = 1};
  const Tessellated result = scene.Tessellate({2, 2, 2, 0});
  REQUIRE(result.indices.size() == 4 * 3);
  CHECK(Value(result, 0) == Float4{0, 0, 0, 1});
  CHECK(Value(result, 4) == Float4{0.5F, -1, 0, 1});
  CHECK(Value(result, 4, 1) == Float4{0.5F, 1, 0, 1});
  CHECK(Value(result, 4, 2) == Float4{0, 0, -1, 1});
  scene.patch.info.width = 4;
  CHECK(scene.Tessellate({2, 2, 2, 0}).indices.empty());
  scene.patch.info = {.is_triangle = true, .width = 3, .basis = 1, .degree = 1};
  CHECK(scene.Tessellate({2, 2, 2, 0}).indices.empty());
}

TEST_CASE("Triangle patch: a cubic bends to its control points") {
  PatchScene scene;
  for (uint32_t i = 0; i < 10; ++i)
    scene.Floats({0, 0, i == 4 ? 1.0F : 0.0F});
  scene.patch.info = {.is_triangle = true, .width = 10, .basis = 0, .degree = 3};
  const Tessellated result = scene.Tessellate({3, 3, 3, 0});
  CheckNear(Value(result, 4), {0, 0, 6.0F / 27.0F, 1});
}
