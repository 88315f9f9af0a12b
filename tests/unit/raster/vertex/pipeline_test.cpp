#include "raster/vertex/pipeline.h"

#include <doctest/doctest.h>

#include <limits>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::PrimitiveType;
using d3d::RenderState;
namespace fvf = d3d::fvf;

std::vector<float> Xs(const RecordingSink::PolygonCall& polygon) {
  std::vector<float> xs;
  for (const ScreenVertex& vertex : polygon.vertices)
    xs.push_back(vertex.x);
  return xs;
}

// Transformed vertices at x = 0, 1, 2, ... whose colour has the number in blue.
struct Numbered : Scene {
  explicit Numbered(uint32_t count) : Scene(fvf::kXyzRhw | fvf::kDiffuse) {
    for (uint32_t i = 0; i < count; ++i)
      Floats({static_cast<float>(i), 0, 0, 1}).Word(i);
  }
};

uint32_t Blue(const ScreenVertex& vertex) {
  return static_cast<uint32_t>(vertex.varyings[kDiffuseSlot][2] * 255.0F + 0.5F);
}

}  // namespace

TEST_CASE("Pipeline: the viewport maps the clip volume to its rectangle and depth range") {
  Scene scene(fvf::kXyz);
  scene.Floats({-1, 1, 0, 1, -1, 1, 0, 0, 0.5F});
  scene.Primitives(PrimitiveType::TriangleList, 1);
  scene.context.state.viewport = device::Viewport{.x = 10, .y = 20, .width = 100, .height = 50};
  scene.context.state.min_z = 0.25F;
  scene.context.state.max_z = 0.75F;
  const RecordingSink sink = Run(scene);
  REQUIRE(sink.polygons.size() == 1);
  const std::vector<ScreenVertex>& v = sink.polygons[0].vertices;
  CHECK(Xs(sink.polygons[0]) == std::vector<float>{10, 110, 60});
  CHECK(v[0].y == 20);
  CHECK(v[1].y == 70);
  CHECK(v[2].y == 45);
  CHECK(v[0].z == 0.25F);
  CHECK(v[1].z == 0.75F);
  CHECK(v[2].z == 0.5F);
  CHECK(v[0].rhw == 1);
}

TEST_CASE("Pipeline: an empty depth range becomes 0.001") {
  Scene scene(fvf::kXyz);
  scene.Floats({0, 0, 1, 1, 0, 1, 0, 1, 1});
  scene.Primitives(PrimitiveType::TriangleList, 1);
  scene.context.state.min_z = scene.context.state.max_z = 0;
  CHECK(Run(scene).polygons.at(0).vertices[0].z == 0.001F);
}

TEST_CASE("Pipeline: transformed vertices are not clipped by depth; rhw 0 counts as 1") {
  Scene scene(fvf::kXyzRhw);
  scene.Floats({1, 2, 5, 0, 10, 2, -5, 0, 1, 20, 0, 0});
  scene.Primitives(PrimitiveType::TriangleList, 1);
  const RecordingSink sink = Run(scene);
  REQUIRE(sink.polygons.size() == 1);
  CHECK(sink.polygons[0].vertices[0].z == 5);
  CHECK(sink.polygons[0].vertices[0].rhw == 1);
}

TEST_CASE(
    "Pipeline: strips and fans keep winding, flat colours are those of the first listed vertex") {
  Numbered scene(5);
  scene.Set(RenderState::ShadeMode, d3d::Value(d3d::ShadeMode::Flat));
  scene.Primitives(PrimitiveType::TriangleStrip, 3);
  const RecordingSink strip = Run(scene);
  REQUIRE(strip.polygons.size() == 3);
  CHECK(Xs(strip.polygons[0]) == std::vector<float>{0, 1, 2});
  CHECK(Xs(strip.polygons[1]) == std::vector<float>{1, 3, 2});
  CHECK(Blue(strip.polygons[1].vertices[2]) == 1);
  scene.Primitives(PrimitiveType::TriangleFan, 2);
  const RecordingSink fan = Run(scene);
  REQUIRE(fan.polygons.size() == 2);
  CHECK(Xs(fan.polygons[1]) == std::vector<float>{2, 3, 0});
  for (const ScreenVertex& vertex : fan.polygons[1].vertices)
    CHECK(Blue(vertex) == 2);
}

TEST_CASE("Pipeline: flat colours are chosen before clipping, fog stays interpolated") {
  Scene scene(fvf::kXyz | fvf::kDiffuse | fvf::kSpecular);
  scene.Floats({0, 0, -1}).Word(0xFFFF0000U).Word(0);
  scene.Floats({1, 0, 1}).Word(0xFF00FF00U).Word(0xFF000000U);
  scene.Floats({0, 1, 1}).Word(0xFF0000FFU).Word(0xFF000000U);
  scene.Primitives(PrimitiveType::TriangleList, 1);
  scene.Set(RenderState::ShadeMode, d3d::Value(d3d::ShadeMode::Flat));
  scene.Set(RenderState::FogEnable, 1U);
  const RecordingSink sink = Run(scene);
  REQUIRE(sink.polygons.at(0).vertices.size() == 4);
  for (const ScreenVertex& vertex : sink.polygons[0].vertices) {
    CHECK(vertex.varyings[kDiffuseSlot] == Float4{1, 0, 0, 1});
  }
  CHECK(sink.polygons[0].vertices[0].fog == 0.5F);
  CHECK(sink.polygons[0].vertices[1].fog == 1);
}

TEST_CASE("Pipeline: WRAP takes the copies nearest to the first vertex") {
  Scene scene(fvf::kXyzRhw | 1U << fvf::kTexcountShift);
  scene.Floats({0, 0, 0, 1, 0.875F, 0.125F, 9, 0, 0, 1, 0.125F, 0.875F, 0, 9, 0, 1, 0.5F, 0.5F});
  scene.Primitives(PrimitiveType::TriangleList, 1);
  scene.Set(RenderState::Wrap0, 1U);
  const std::vector<ScreenVertex> u = Run(scene).polygons.at(0).vertices;
  CHECK(u[1].varyings[kTexcoordSlot] == Float4{1.125F, 0.875F, 0, 1});
  CHECK(u[2].varyings[kTexcoordSlot] == Float4{0.5F, 0.5F, 0, 1});
  scene.Set(RenderState::Wrap0, 3U);
  CHECK(Run(scene).polygons.at(0).vertices[1].varyings[kTexcoordSlot] ==
        Float4{1.125F, -0.125F, 0, 1});
}

TEST_CASE("Pipeline: a strip has one line pattern and one end, a list one for each segment") {
  Numbered scene(4);
  scene.Primitives(PrimitiveType::LineStrip, 3);
  const RecordingSink strip = Run(scene);
  REQUIRE(strip.lines.size() == 3);
  CHECK((strip.lines[0].pattern_start && !strip.lines[1].pattern_start &&
         !strip.lines[2].pattern_start));
  CHECK((!strip.lines[0].draws_last && !strip.lines[1].draws_last && strip.lines[2].draws_last));
  scene.Primitives(PrimitiveType::LineList, 2);
  const RecordingSink list = Run(scene);
  REQUIRE(list.lines.size() == 2);
  CHECK(list.lines[1].a.x == 2);
  CHECK((list.lines[1].pattern_start && list.lines[0].draws_last));
}

TEST_CASE("Pipeline: points outside the volume, of no size or at no place are dropped") {
  Scene scene(fvf::kXyz | fvf::kPointSize);
  scene.Set(RenderState::PointSizeMin, 0.0F);
  const float infinity = std::numeric_limits<float>::infinity();
  scene.Floats({0, 0, 0.5F, 4})
      .Floats({0, 0, 2, 4})
      .Floats({0, 0, 0.5F, 0})
      .Floats({infinity, 0, 0.5F, 4});
  scene.Primitives(PrimitiveType::PointList, 4);
  const RecordingSink sink = Run(scene);
  REQUIRE(sink.points.size() == 1);
  CHECK(sink.points[0].x == 320);
  CHECK(sink.points[0].point_size == 4);
}

TEST_CASE("Pipeline: indices have the base vertex added; instances are drawn in order") {
  Numbered scene(6);
  scene.Indices({0, 1, 2});
  scene.draw.base_vertex = 3;
  scene.Primitives(PrimitiveType::TriangleList, 1);
  CHECK(Xs(Run(scene).polygons.at(0)) == std::vector<float>{3, 4, 5});
  scene.draw.instance_count = 2;
  scene.draw.streams[0].divider = 0x80000001;
  const RecordingSink sink = Run(scene);
  REQUIRE(sink.polygons.size() == 2);
  CHECK(Xs(sink.polygons[1]) == std::vector<float>{1, 1, 1});
}

TEST_CASE("Pipeline: the edges of clipped fans come from their mask") {
  Numbered scene(4);
  scene.Primitives(PrimitiveType::TriangleFan, 2);
  scene.draw.edges = device::EdgeSource::kFanMask;
  scene.draw.fan_edges = 0b0111;  // all but the closing edge
  const RecordingSink sink = Run(scene);
  CHECK(sink.polygons.at(0).edges == (device::kEdge01 | device::kEdge20));
  CHECK(sink.polygons.at(1).edges == device::kEdge01);
}
