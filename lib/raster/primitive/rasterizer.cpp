#include "raster/primitive/rasterizer.h"

#include <array>
#include <optional>

#include "raster/primitive/line.h"
#include "raster/primitive/point.h"
#include "raster/primitive/triangle.h"

namespace dp2trace::raster {
namespace {

constexpr uint32_t kMaxVertices = 16;

}  // namespace

double BiasOf(const RasterState& state, const ScreenVertex* vertices, const FixedPoint* points,
              uint32_t count) {
  for (uint32_t i = 1; i + 1 < count; ++i) {
    const std::array<FixedPoint, 3> corners = {points[0], points[i], points[i + 1]};
    if (Area2(corners[0], corners[1], corners[2]) == 0) continue;
    const TriangleGeometry geometry(corners);
    return DepthPlane(state.depth, {&vertices[0], &vertices[i], &vertices[i + 1]}, geometry).bias();
  }
  return 0;
}

void Rasterizer::Point(const ScreenVertex& vertex) {
  DrawPoint(*state_, vertex, *output_);
}

void Rasterizer::Line(const ScreenVertex& a, const ScreenVertex& b, bool pattern_start,
                      bool draws_last) {
  if (pattern_start) pattern_pixel_ = 0;
  const LineStyle style = {
      .draws_last = draws_last && state_->draws_last_pixel,
      .is_antialiased = state_->has_antialiased_lines,
      .bias = state_->depth.z_bias,
      .pattern_pixel = state_->line_repeat != 0 ? &pattern_pixel_ : nullptr,
  };
  DrawLine(*state_, a, b, style, *output_);
}

bool Rasterizer::IsCulled(int64_t area2) const {
  return area2 == 0 || (area2 > 0 ? state_->culls_clockwise : state_->culls_counter_clockwise);
}

void Rasterizer::Polygon(const ScreenVertex* vertices, uint32_t count, uint32_t edges) {
  if (count < 3 || count > kMaxVertices) return;
  std::array<FixedPoint, kMaxVertices> points;
  for (uint32_t i = 0; i < count; ++i) {
    const std::optional<FixedPoint> point = Snap(vertices[i]);
    if (!point) return;
    points[i] = *point;
  }
  if (state_->fill_mode == d3d::FillMode::Solid) {
    Fill(vertices, points.data(), count);
  } else {
    Outline(vertices, points.data(), count, edges);
  }
}

void Rasterizer::Fill(const ScreenVertex* vertices, const FixedPoint* points, uint32_t count) {
  for (uint32_t i = 1; i + 1 < count; ++i) {
    const std::array<FixedPoint, 3> corners = {points[0], points[i], points[i + 1]};
    if (IsCulled(Area2(corners[0], corners[1], corners[2]))) continue;
    DrawTriangle(*state_, {&vertices[0], &vertices[i], &vertices[i + 1]}, corners, *output_);
  }
}

// Unspecified: LINEPATTERN in wireframe; chosen: solid. Unspecified: corners that clipping made in fill mode POINT; chosen: drawn.
void Rasterizer::Outline(const ScreenVertex* vertices, const FixedPoint* points, uint32_t count,
                         uint32_t edges) {
  int64_t area2 = 0;
  for (uint32_t i = 1; i + 1 < count; ++i) {
    area2 += Area2(points[0], points[i], points[i + 1]);
  }
  if (IsCulled(area2)) return;
  const double bias = BiasOf(*state_, vertices, points, count);
  const bool is_front = area2 > 0;
  const LineStyle style = {.is_front = is_front, .bias = bias};
  for (uint32_t i = 0; i < count; ++i) {
    if (state_->fill_mode == d3d::FillMode::Point) {
      DrawCorner(*state_, vertices[i], bias, is_front, *output_);
    } else if ((edges >> i & 1U) != 0) {
      DrawLine(*state_, vertices[i], vertices[(i + 1) % count], style, *output_);
    }
  }
}

}  // namespace dp2trace::raster
