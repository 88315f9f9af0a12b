#include "raster/patch/segments.h"

#include <doctest/doctest.h>

#include <limits>

#include "../vertex/scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

EdgeSegments Edge(float count, bool is_continuous = false) {
  bool limit_hit = false;
  return MakeEdge(count, is_continuous, 128, limit_hit);
}

}  // namespace

TEST_CASE("MakeEdge: discrete counts are truncated, bad ones are 1, large ones limited") {
  CHECK(Edge(3.9F).segments == 3);
  CHECK(Edge(3.9F).count == 3);
  CHECK(Edge(0.5F).segments == 1);
  CHECK(Edge(-7).segments == 1);
  CHECK(Edge(std::numeric_limits<float>::quiet_NaN()).segments == 1);
  bool limit_hit = false;
  CHECK(MakeEdge(128, false, 128, limit_hit).segments == 128);
  CHECK_FALSE(limit_hit);
  CHECK(MakeEdge(std::numeric_limits<float>::infinity(), false, 128, limit_hit).segments == 128);
  CHECK(limit_hit);
}

TEST_CASE("MakeEdge: continuous counts end in a shorter segment") {
  const EdgeSegments edge = Edge(2.5F, true);
  CHECK(edge.segments == 3);
  CHECK(edge.Parameter(1) == 0.4);
  CHECK(edge.Parameter(2) == 0.8);
  CHECK(edge.Parameter(3) == 1);
}

TEST_CASE("EdgeSegments: vertices of a finer grid move to the nearest of the edge, half up") {
  const EdgeSegments edge = Edge(2);
  CHECK(edge.Snapped(0, 4) == 0);
  CHECK(edge.Snapped(1, 4) == 0.5);  // 1/2 rounds up
  CHECK(edge.Snapped(2, 4) == 0.5);
  CHECK(edge.Snapped(3, 4) == 1);
  CHECK(edge.Snapped(1, 2) == 0.5);
}

TEST_CASE("MakeRectGrid: rows of v, columns of u; borders follow their own edge") {
  const PatchGrid<RectPoint> grid = MakeRectGrid({Edge(1), Edge(1), Edge(2), Edge(1)});
  REQUIRE(grid.points.size() == 6);
  CHECK(grid.points[1].u == 1);  // row 0 has one segment: the middle vertex moves
  CHECK(grid.points[4].u == 0.5);
  CHECK(grid.points[4].v == 1);
  CHECK(grid.indices == std::vector<uint32_t>{0, 1, 3, 1, 4, 3, 1, 2, 4, 2, 5, 4});
}

TEST_CASE("MakeTriangleGrid: rows from the apex") {
  const PatchGrid<TrianglePoint> grid = MakeTriangleGrid({Edge(2), Edge(2), Edge(1)});
  REQUIRE(grid.points.size() == 6);
  CHECK(grid.points[0].a == 1);
  // Bottom left to apex has one segment: its middle vertex moves to bottom left.
  CHECK(grid.points[1].b == 1);
  CHECK(grid.points[2].a == 0.5);
  CHECK(grid.points[2].c == 0.5);
  CHECK(grid.points[4].b == 0.5);
  CHECK(grid.points[4].c == 0.5);
  CHECK(grid.points[5].c == 1);
  CHECK(grid.indices == std::vector<uint32_t>{0, 2, 1, 1, 4, 3, 1, 2, 4, 2, 5, 4});
}

TEST_CASE("Adaptive levels fall with the distance, between MIN and MAX") {
  Scene scene(d3d::fvf::kXyz);
  scene.Set(d3d::RenderState::MaxTessellationLevel, 8.0F);
  scene.Set(d3d::RenderState::MinTessellationLevel, 2.0F);
  scene.Floats({0, 0, 2, 0, 0, -1});
  const device::State& state = scene.context.state;
  const float near_level = AdaptiveLevel(state, scene.layout, FetchVertex(scene.draw, 0, 0));
  const float behind_level = AdaptiveLevel(state, scene.layout, FetchVertex(scene.draw, 1, 0));
  CHECK(near_level == 4);
  CHECK(behind_level == 8);
  CHECK(AdaptiveCount(state, near_level, behind_level) == 6);
  CHECK(AdaptiveCount(state, 100, 4) == 8);
  CHECK(AdaptiveCount(state, 0.5F, 0.5F) == 2);
}
