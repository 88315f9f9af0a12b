#include "fast/tile/setup.h"

#include <algorithm>
#include <optional>

namespace dp2trace::fast {
namespace {

using raster::FixedPoint;
using raster::kSubpixels;

constexpr uint32_t kMaxVertices = 16;
constexpr uint64_t kQuadsOfBlock = 16;

// The number of a vertex that a component carries.
float ValueOf(const raster::ScreenVertex& vertex, const PixelInput& component,
              raster::FogSource fog) {
  if (component.slot != kFogSlot) return vertex.varyings[component.slot][component.component];
  return fog == raster::FogSource::kZ ? vertex.z : vertex.fog;
}

PixelBounds BoundsOf(const raster::PixelRect& rectangle) {
  return {static_cast<int32_t>(rectangle.left), static_cast<int32_t>(rectangle.top),
          static_cast<int32_t>(rectangle.right), static_cast<int32_t>(rectangle.bottom)};
}

}  // namespace

TriangleSetup::TriangleSetup(DrawQueue& queue, const QueuedDraw& draw, WorkBudget& work)
    : queue_(&queue),
      draw_(&draw),
      work_(&work),
      clip_(BoundsOf(draw.plan.raster.clip)),
      steps_of_block_(1 + kQuadsOfBlock * (1 + draw.code->steps)) {}

bool TriangleSetup::IsCulled(int64_t area2) const {
  const raster::RasterState& state = draw_->plan.raster;
  return area2 == 0 || (area2 > 0 ? state.culls_clockwise : state.culls_counter_clockwise);
}

void TriangleSetup::Polygon(const raster::ScreenVertex* vertices, uint32_t count,
                            uint32_t /*edges*/) {
  if (count < 3 || count > kMaxVertices) return;
  std::array<FixedPoint, kMaxVertices> points;
  for (uint32_t i = 0; i < count; ++i) {
    const std::optional<FixedPoint> point = raster::Snap(vertices[i]);
    if (!point) return;
    points[i] = *point;
  }
  std::array<uint32_t, kMaxVertices> corners = {};
  for (uint32_t i = 0; i < count; ++i)
    corners[i] = AddCorner(vertices[i], points[i]);
  for (uint32_t i = 1; i + 1 < count; ++i)
    Triangle({corners[0], corners[i], corners[i + 1]}, false);
}

uint32_t TriangleSetup::AddCorner(const raster::ScreenVertex& vertex, const FixedPoint& point) {
  CornerArena& arena = queue_->corners();
  const uint32_t unit =
      arena.Allocate((sizeof(VertexRecord) + draw_->padded * sizeof(float)) / CornerArena::kUnit);
  VertexRecord& record = arena.vertex(unit);
  record.fixed_x = static_cast<int32_t>(point.x);
  record.fixed_y = static_cast<int32_t>(point.y);
  record.z = vertex.z;
  float* to = record.components();
  std::fill_n(to, draw_->padded, 0.0F);
  *to++ = vertex.rhw;
  for (const PixelInput& component : draw_->components)
    *to++ = ValueOf(vertex, component, draw_->plan.raster.fog);
  return unit;
}

// One block more on each side than the bounds have: what the reference may examine.
bool TriangleSetup::Pay(const PixelBounds& bounds) {
  const auto columns = static_cast<uint64_t>((bounds.right - bounds.left) / kBlockSize + 3);
  const auto rows = static_cast<uint64_t>((bounds.bottom - bounds.top) / kBlockSize + 3);
  return work_->Spend(columns * rows * steps_of_block_);
}

void TriangleSetup::Add(const QueuedTriangle& triangle, const PixelBounds& bounds) {
  touched_.Add(bounds);
  queue_->Add(triangle, bounds);
}

// Source: rendering specification, 1.4.
void TriangleSetup::Point(const raster::ScreenVertex& vertex) {
  const raster::RasterState& state = draw_->plan.raster;
  if (!(vertex.point_size > 0.0F) || !raster::Snap(vertex) || work_->is_spent()) return;
  const std::optional<uint32_t> depth =
      raster::DepthOf(state.depth, double{vertex.z}, double{vertex.rhw}, state.depth.z_bias);
  if (!depth) return;
  const float half = vertex.point_size * 0.5F;
  // The first pixel whose centre is not before a coordinate, in the clip rectangle.
  const auto first = [](float at, int64_t low, int64_t high) {
    const int64_t pixel = raster::CeilDiv(raster::RoundToInt(double{at} * 256.0), kSubpixels);
    return static_cast<int32_t>(std::min(std::max(pixel, low), high));
  };
  const raster::PixelRect& clip = state.clip;
  const PixelBounds bounds = {.left = first(vertex.x - half, clip.left, clip.right),
                              .top = first(vertex.y - half, clip.top, clip.bottom),
                              .right = first(vertex.x + half, clip.left, clip.right),
                              .bottom = first(vertex.y + half, clip.top, clip.bottom)};
  if (bounds.left >= bounds.right || bounds.top >= bounds.bottom || !Pay(bounds)) return;
  QueuedTriangle square = {.corners = {AddCorner(vertex, {}), 0, 0},
                           .flags = QueuedTriangle::kSquare};
  square.corners[1] = queue_->corners().Allocate(sizeof(SquareRecord) / CornerArena::kUnit);
  // The quotient comes back as the same integer when it is quantised.
  const double z0 = draw_->quantizes ? static_cast<double>(*depth) / draw_->depth.scale : 0;
  queue_->corners().square(square.corners[1]) = {.bounds = bounds, .z0 = z0, .unused = 0};
  Add(square, bounds);
}

void TriangleSetup::Triangle(const std::array<uint32_t, 3>& corners, bool is_flat) {
  const CornerArena& arena = queue_->corners();
  const VertexRecord& a = arena.vertex(corners[0]);
  const VertexRecord& b = arena.vertex(corners[1]);
  const VertexRecord& c = arena.vertex(corners[2]);
  const int64_t area2 =
      raster::Area2({a.fixed_x, a.fixed_y}, {b.fixed_x, b.fixed_y}, {c.fixed_x, c.fixed_y});
  if (IsCulled(area2) || work_->is_spent()) return;
  // Pixels whose centre may be inside.
  const auto [min_x, max_x] = std::minmax({a.fixed_x, b.fixed_x, c.fixed_x});
  const auto [min_y, max_y] = std::minmax({a.fixed_y, b.fixed_y, c.fixed_y});
  constexpr auto kStep = static_cast<int32_t>(kSubpixels);
  const PixelBounds bounds = {.left = std::max((min_x + kStep - 1) >> 8, clip_.left),
                              .top = std::max((min_y + kStep - 1) >> 8, clip_.top),
                              .right = std::min((max_x >> 8) + 1, clip_.right),
                              .bottom = std::min((max_y >> 8) + 1, clip_.bottom)};
  if (bounds.left >= bounds.right || bounds.top >= bounds.bottom || !Pay(bounds)) return;
  Add({.corners = {corners[0], corners[1], corners[2]},
       .flags = is_flat ? QueuedTriangle::kFlat : 0},
      bounds);
}

}  // namespace dp2trace::fast
