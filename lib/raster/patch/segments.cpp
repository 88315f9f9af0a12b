#include "raster/patch/segments.h"

#include <algorithm>
#include <cmath>

#include "raster/vertex/placement.h"

namespace dp2trace::raster {
namespace {

using d3d::RenderState;

const EdgeSegments& Finer(const EdgeSegments& a, const EdgeSegments& b) {
  return a.count >= b.count ? a : b;
}

void AddTriangle(std::vector<uint32_t>& indices, uint32_t a, uint32_t b, uint32_t c) {
  indices.insert(indices.end(), {a, b, c});
}

// Position of vertex j of row i of a triangle grid.
uint32_t TriangleIndex(uint32_t i, uint32_t j) {
  return i * (i + 1) / 2 + j;
}

// The same on an edge, moved to the nearest vertex that the edge has.
TrianglePoint TrianglePointAt(const std::array<EdgeSegments, 3>& edges, const EdgeSegments& finest,
                              uint32_t i, uint32_t j) {
  const uint32_t n = finest.segments;
  if (i == 0) return {1, 0, 0};
  if (i == n && j == 0) return {0, 1, 0};
  if (i == n && j == n) return {0, 0, 1};
  if (j == i) {
    const double t = edges[0].Snapped(i, n);
    return {1 - t, 0, t};
  }
  if (i == n) {
    const double t = edges[1].Snapped(j, n);
    return {0, 1 - t, t};
  }
  if (j == 0) {
    const double t = edges[2].Snapped(i, n);
    return {1 - t, t, 0};
  }
  if (finest.count == n) {
    const double count = n;
    return {(n - i) / count, (i - j) / count, j / count};
  }
  const double down = finest.Parameter(i);
  const double right = finest.Parameter(j);
  return {1 - down, down - right, right};
}

}  // namespace

EdgeSegments MakeEdge(float count, bool is_continuous, uint32_t max_segments, bool& limit_hit) {
  const uint32_t limit = std::max(max_segments, 1U);
  double wanted = count >= 1 ? double{count} : 1;  // NaN: 1
  if (wanted > limit) {
    limit_hit = true;
    wanted = limit;
  }
  if (!is_continuous) wanted = std::floor(wanted);
  const double whole = std::floor(wanted);
  return {.count = wanted, .segments = static_cast<uint32_t>(whole) + (whole < wanted ? 1U : 0U)};
}

float AdaptiveLevel(const device::State& state, const device::VertexLayout& layout,
                    const VertexInput& corner) {
  const uint32_t position = ElementIndex(layout, d3d::DeclUsage::Position);
  const uint32_t factor = ElementIndex(layout, d3d::DeclUsage::TessFactor);
  const Float4 model = position == kNoElement ? Float4{0, 0, 0, 1} : corner.values[position];
  const Float4 world = Transform(model, state.transform(d3d::TransformState::WorldMatrix0));
  const Float4 eye = Transform(world, state.transform(d3d::TransformState::View));
  const Float4 plane = {
      state.real(RenderState::AdaptiveTessX), state.real(RenderState::AdaptiveTessY),
      state.real(RenderState::AdaptiveTessZ), state.real(RenderState::AdaptiveTessW)};
  const float distance = Dot4(eye.data(), plane.data());
  const float largest = state.real(RenderState::MaxTessellationLevel);
  if (!(distance > 0)) return largest;
  return largest * (factor == kNoElement ? 1.0F : corner.values[factor][0]) / distance;
}

float AdaptiveCount(const device::State& state, float level, float other_level) {
  const float average = (level + other_level) * 0.5F;
  const float largest = state.real(RenderState::MaxTessellationLevel);
  const float smallest = state.real(RenderState::MinTessellationLevel);
  if (average > largest) return largest;
  return average < smallest ? smallest : average;
}

PatchGrid<RectPoint> MakeRectGrid(const std::array<EdgeSegments, 4>& edges) {
  const EdgeSegments& along_u = Finer(edges[0], edges[2]);
  const EdgeSegments& along_v = Finer(edges[1], edges[3]);
  const uint32_t nu = along_u.segments;
  const uint32_t nv = along_v.segments;
  PatchGrid<RectPoint> grid;
  for (uint32_t j = 0; j <= nv; ++j) {
    for (uint32_t i = 0; i <= nu; ++i) {
      RectPoint point = {along_u.Parameter(i), along_v.Parameter(j)};
      if (j == 0) point.u = edges[0].Snapped(i, nu);
      if (j == nv) point.u = edges[2].Snapped(i, nu);
      if (i == 0) point.v = edges[3].Snapped(j, nv);
      if (i == nu) point.v = edges[1].Snapped(j, nv);
      grid.points.push_back(point);
    }
  }
  for (uint32_t j = 0; j < nv; ++j) {
    for (uint32_t i = 0; i < nu; ++i) {
      const uint32_t corner = j * (nu + 1) + i;
      const uint32_t below = corner + nu + 1;
      AddTriangle(grid.indices, corner, corner + 1, below);
      AddTriangle(grid.indices, corner + 1, below + 1, below);
    }
  }
  return grid;
}

PatchGrid<TrianglePoint> MakeTriangleGrid(const std::array<EdgeSegments, 3>& edges) {
  const EdgeSegments& finest = Finer(Finer(edges[0], edges[1]), edges[2]);
  PatchGrid<TrianglePoint> grid;
  for (uint32_t i = 0; i <= finest.segments; ++i) {
    for (uint32_t j = 0; j <= i; ++j)
      grid.points.push_back(TrianglePointAt(edges, finest, i, j));
  }
  for (uint32_t i = 0; i < finest.segments; ++i) {
    for (uint32_t j = 0; j <= i; ++j) {
      AddTriangle(grid.indices, TriangleIndex(i, j), TriangleIndex(i + 1, j + 1),
                  TriangleIndex(i + 1, j));
      if (j == i) continue;
      AddTriangle(grid.indices, TriangleIndex(i, j), TriangleIndex(i, j + 1),
                  TriangleIndex(i + 1, j + 1));
    }
  }
  return grid;
}

}  // namespace dp2trace::raster
