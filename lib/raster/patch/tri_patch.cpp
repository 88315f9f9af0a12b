// Triangle patches: Bezier only. Source: lib/raster/rendering-geometry.md 6.2 and 6.3.
#include "raster/patch/patch_kinds.h"
#include "raster/patch/segments.h"
#include "raster/patch/vertex_builder.h"

namespace dp2trace::raster {
namespace {

using d3d::RenderState;

bool IsValid(const device::PatchInfo& info) {
  if (info.basis != d3d::Value(d3d::Basis::Bezier)) return false;
  if (info.degree != 1 && info.degree != 3 && info.degree != 5) return false;
  return info.width == (info.degree + 1) * (info.degree + 2) / 2;
}

// Counts of the edges apex to bottom right, bottom right to bottom left, bottom left to apex.
std::array<float, 3> EdgeCounts(const device::State& state, const device::PatchDraw& patch,
                                const std::vector<VertexInput>& points) {
  if (state.value(RenderState::EnableAdaptiveTessellation) == 0) {
    return {patch.segments[0], patch.segments[1], patch.segments[2]};
  }
  const auto level = [&](size_t point) {
    return AdaptiveLevel(state, *patch.points.layout, points[point]);
  };
  const std::array<float, 3> corners = {level(0), level(points.size() - 1),
                                        level(points.size() - 1 - patch.info.degree)};
  std::array<float, 3> counts = {};
  for (size_t e = 0; e < 3; ++e)
    counts[e] = AdaptiveCount(state, corners[e], corners[(e + 1) % 3]);
  return counts;
}

}  // namespace

Tessellated TessellateTriangle(const device::Context& context, const device::PatchDraw& patch,
                               uint32_t max_segments, bool& limit_hit) {
  if (!IsValid(patch.info)) return {};
  std::vector<VertexInput> points;
  for (uint32_t i = 0; i < patch.info.width; ++i) {
    points.push_back(ReadControlPoint(patch.points, int64_t{patch.info.start_width} + i, 0));
  }
  const std::array<float, 3> counts = EdgeCounts(context.state, patch, points);
  const bool is_continuous = context.state.value(RenderState::PatchEdgeStyle) ==
                             d3d::Value(d3d::PatchEdgeStyle::Continuous);
  std::array<EdgeSegments, 3> edges;
  for (size_t e = 0; e < 3; ++e)
    edges[e] = MakeEdge(counts[e], is_continuous, max_segments, limit_hit);
  const PatchGrid<TrianglePoint> grid = MakeTriangleGrid(edges);
  VertexBuilder builder(*patch.points.layout);
  for (const TrianglePoint& point : grid.points) {
    const SurfaceWeights weights = TriangleWeights(patch.info.degree, point.a, point.b, point.c);
    builder.Append({.weights = weights, .u = point.c, .v = point.b + point.c}, points);
  }
  builder.AppendIndices(grid.indices, 0);
  return builder.Take();
}

}  // namespace dp2trace::raster
