#include "fast/tile/setup.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "image/depth.h"
#include "raster/primitive/line_walk.h"
#include "raster/primitive/rasterizer.h"

namespace dp2trace::fast {
namespace {

using raster::FixedPoint;

constexpr uint32_t kMaxVertices = 16;
// Pixels of a line lie so near to the segment, in 1/256.
constexpr int32_t kLineReach = 3 * 256;

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
      reach_(draw.is_per_sample ? kHalfPixel : 0) {}

bool TriangleSetup::IsCulled(int64_t area2) const {
  const raster::RasterState& state = draw_->plan.raster;
  return area2 == 0 || (area2 > 0 ? state.culls_clockwise : state.culls_counter_clockwise);
}

void TriangleSetup::Polygon(const raster::ScreenVertex* vertices, uint32_t count, uint32_t edges) {
  if (count < 3 || count > kMaxVertices) return;
  std::array<FixedPoint, kMaxVertices> points;
  for (uint32_t i = 0; i < count; ++i) {
    const std::optional<FixedPoint> point = raster::Snap(vertices[i]);
    if (!point) return;
    points[i] = *point;
  }
  if (draw_->plan.raster.fill_mode != d3d::FillMode::Solid)
    return Outline(vertices, points.data(), count, edges);
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

// One block more on each side than the bounds have, which the reference may examine, and the quads that it may shade: those within, and
// those that the outline crosses, at most twice as many as rows and columns.
bool TriangleSetup::Pay(const PixelBounds& bounds, uint64_t area) {
  const auto width = static_cast<uint64_t>(bounds.right - bounds.left);
  const auto height = static_cast<uint64_t>(bounds.bottom - bounds.top);
  const uint64_t blocks = (width / kBlockSize + 3) * (height / kBlockSize + 3);
  const uint64_t columns = width / 2 + 1;
  const uint64_t rows = height / 2 + 1;
  const uint64_t quads = std::min(columns * rows, area / 4 + 2 * (columns + rows));
  return work_->Spend(blocks + quads * (raster::kQuadSteps + draw_->code->steps));
}

void TriangleSetup::Add(const QueuedTriangle& triangle, const PixelBounds& bounds) {
  touched_.Add(bounds);
  queue_->Add(triangle, bounds);
}

// Source: lib/raster/rendering-geometry.md 1.4.
void TriangleSetup::Point(const raster::ScreenVertex& vertex) {
  if (!(vertex.point_size > 0.0F) || !raster::Snap(vertex)) return;
  const raster::RasterState& state = draw_->plan.raster;
  const float half = vertex.point_size * 0.5F;
  const auto fixed = [](float at) {
    constexpr int64_t kFar = 2 * raster::kFixedLimit;
    return static_cast<int32_t>(
        std::clamp<int64_t>(raster::RoundToInt(double{at} * 256.0), -kFar, kFar));
  };
  AddSquare(vertex,
            {.left = fixed(vertex.x - half),
             .top = fixed(vertex.y - half),
             .right = fixed(vertex.x + half),
             .bottom = fixed(vertex.y + half),
             .x = vertex.x,
             .y = vertex.y,
             .size = vertex.point_size},
            state.depth.z_bias, state.has_point_sprites ? QueuedTriangle::kSprite : 0);
}

void TriangleSetup::AddSquare(const raster::ScreenVertex& vertex, const SquareRecord& square,
                              double bias, uint32_t flags) {
  const raster::DepthRule& rule = draw_->plan.raster.depth;
  const std::optional<uint32_t> depth =
      raster::DepthOf(rule, double{vertex.z}, double{vertex.rhw}, bias);
  if (!depth || work_->is_spent()) return;
  const PixelBounds bounds =
      BoundsOfCorners(square.left, square.top, square.right, square.bottom, reach_, clip_);
  if (bounds.left >= bounds.right || bounds.top >= bounds.bottom) return;
  constexpr uint64_t kFull = uint64_t{1} << 32;
  if (!Pay(bounds, kFull)) return;
  CornerArena& arena = queue_->corners();
  QueuedTriangle queued = {.corners = {AddCorner(vertex, {}), 0, 0},
                           .flags = QueuedTriangle::kIsPoint | flags};
  queued.corners[1] = arena.Allocate(sizeof(SquareRecord) / CornerArena::kUnit);
  SquareRecord& record = arena.square(queued.corners[1]);
  record = square;
  if (draw_->depth.uses_w) {
    record.bias = bias;
  } else if (draw_->quantizes) {
    // The same comes back when it is quantised.
    record.z0 = image::DepthToDouble(*rule.format, *depth);
  }
  Add(queued, bounds);
}

LineRecord TriangleSetup::StartLine(bool pattern_start, bool draws_last) {
  const raster::RasterState& state = draw_->plan.raster;
  if (pattern_start) pattern_pixel_ = 0;
  LineRecord line = {.bias = state.depth.z_bias, .pattern_pixel = pattern_pixel_, .flags = 0};
  if (draws_last && state.draws_last_pixel) line.flags |= LineRecord::kDrawsLast;
  if (state.has_antialiased_lines) {
    line.flags |= LineRecord::kAntialiased;
  } else if (state.line_repeat != 0) {
    line.flags |= LineRecord::kPatterned;
  }
  return line;
}

void TriangleSetup::Line(const raster::ScreenVertex& a, const raster::ScreenVertex& b,
                         bool pattern_start, bool draws_last) {
  AddLine(a, b, StartLine(pattern_start, draws_last), 0);
}

void TriangleSetup::Line(uint32_t a, uint32_t b, bool pattern_start, bool draws_last) {
  const VertexRecord& from = arena().vertex(a);
  const VertexRecord& to = arena().vertex(b);
  AddLine({from.fixed_x, from.fixed_y}, {to.fixed_x, to.fixed_y},
          StartLine(pattern_start, draws_last), 0, [&] { return std::pair(a, b); });
}

void TriangleSetup::AddLine(const raster::ScreenVertex& a, const raster::ScreenVertex& b,
                            LineRecord line, uint32_t flags) {
  const std::optional<FixedPoint> start = raster::Snap(a);
  const std::optional<FixedPoint> end = raster::Snap(b);
  if (!start || !end) return;
  AddLine(*start, *end, line, flags,
          [&] { return std::pair(AddCorner(a, *start), AddCorner(b, *end)); });
}

template <class AddCorners>
void TriangleSetup::AddLine(const FixedPoint& start, const FixedPoint& end, LineRecord line,
                            uint32_t flags, const AddCorners& add_corners) {
  if (work_->is_spent()) return;
  const raster::LineWalk walk(start, end);
  const auto columns = static_cast<uint64_t>(std::abs(walk.last() - walk.first()) + 3);
  constexpr uint64_t kRowsOfAntialiased = 5;
  const bool is_antialiased = (line.flags & LineRecord::kAntialiased) != 0;
  const uint64_t pixels = columns * (is_antialiased ? kRowsOfAntialiased : 1);
  if (!work_->Spend(pixels * (1 + raster::kQuadSteps + draw_->code->steps))) return;
  if ((line.flags & LineRecord::kPatterned) != 0) {
    walk.ForEach((line.flags & LineRecord::kDrawsLast) != 0,
                 [&](int64_t, int64_t) { ++pattern_pixel_; });
  }
  const auto [min_x, max_x] = std::minmax({start.x, end.x});
  const auto [min_y, max_y] = std::minmax({start.y, end.y});
  const PixelBounds bounds =
      BoundsOfCorners(static_cast<int32_t>(min_x), static_cast<int32_t>(min_y),
                      static_cast<int32_t>(max_x), static_cast<int32_t>(max_y), kLineReach, clip_);
  if (bounds.left >= bounds.right || bounds.top >= bounds.bottom) return;
  const auto [first, second] = add_corners();
  QueuedTriangle queued = {.corners = {first, second, 0}, .flags = QueuedTriangle::kLine | flags};
  queued.corners[2] = queue_->corners().Allocate(sizeof(LineRecord) / CornerArena::kUnit);
  queue_->corners().line(queued.corners[2]) = line;
  Add(queued, bounds);
}

// Computes what the reference does, in the same order.
void TriangleSetup::Outline(const raster::ScreenVertex* vertices, const FixedPoint* points,
                            uint32_t count, uint32_t edges) {
  const raster::RasterState& state = draw_->plan.raster;
  int64_t area2 = 0;
  for (uint32_t i = 1; i + 1 < count; ++i)
    area2 += raster::Area2(points[0], points[i], points[i + 1]);
  if (IsCulled(area2)) return;
  const double bias = raster::BiasOf(state, vertices, points, count);
  const uint32_t flags = area2 > 0 ? 0 : QueuedTriangle::kBack;
  for (uint32_t i = 0; i < count; ++i) {
    if (state.fill_mode == d3d::FillMode::Point) {
      const auto x = static_cast<int32_t>(points[i].x);
      const auto y = static_cast<int32_t>(points[i].y);
      AddSquare(vertices[i],
                {.left = x - kHalfPixel,
                 .top = y - kHalfPixel,
                 .right = x + kHalfPixel,
                 .bottom = y + kHalfPixel},
                bias, flags);
    } else if ((edges >> i & 1U) != 0) {
      AddLine(vertices[i], vertices[(i + 1) % count],
              {.bias = bias, .pattern_pixel = 0, .flags = 0}, flags);
    }
  }
}

void TriangleSetup::Triangle(const std::array<uint32_t, 3>& corners, bool is_flat) {
  const CornerArena& arena = queue_->corners();
  const VertexRecord& a = arena.vertex(corners[0]);
  const VertexRecord& b = arena.vertex(corners[1]);
  const VertexRecord& c = arena.vertex(corners[2]);
  const int64_t area2 =
      raster::Area2({a.fixed_x, a.fixed_y}, {b.fixed_x, b.fixed_y}, {c.fixed_x, c.fixed_y});
  if (IsCulled(area2) || work_->is_spent()) return;
  // Pixels whose centre or samples may be inside.
  const auto [min_x, max_x] = std::minmax({a.fixed_x, b.fixed_x, c.fixed_x});
  const auto [min_y, max_y] = std::minmax({a.fixed_y, b.fixed_y, c.fixed_y});
  const PixelBounds bounds = BoundsOfCorners(min_x, min_y, max_x, max_y, reach_, clip_);
  if (bounds.left >= bounds.right || bounds.top >= bounds.bottom) return;
  constexpr int64_t kTwoPixels = 2 * raster::kSubpixels * raster::kSubpixels;
  if (!Pay(bounds, static_cast<uint64_t>(std::abs(area2) / kTwoPixels))) return;
  Add({.corners = {corners[0], corners[1], corners[2]},
       .flags =
           (is_flat ? QueuedTriangle::kFlat : 0) | (reach_ != 0 ? QueuedTriangle::kSampled : 0)},
      bounds);
}

}  // namespace dp2trace::fast
