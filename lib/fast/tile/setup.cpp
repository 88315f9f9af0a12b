#include "fast/tile/setup.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace dp2trace::fast {
namespace {

using raster::FixedPoint;
using raster::kSubpixels;

constexpr uint32_t kMaxVertices = 16;
constexpr uint64_t kQuadsOfBlock = 16;

double Magnitude(double x) {
  return x < 0 ? -x : x;
}

double Pixels(int64_t fixed) {
  return static_cast<double>(fixed) / 256.0;
}

// The number of a vertex that a component carries.
float ValueOf(const raster::ScreenVertex& vertex, const PixelInput& component,
              raster::FogSource fog) {
  if (component.slot != kFogSlot) return vertex.varyings[component.slot][component.component];
  return fog == raster::FogSource::kZ ? vertex.z : vertex.fog;
}

void SetEdges(std::array<FixedPoint, 3> p, Triangle& triangle) {
  if (triangle.is_front == 0) std::swap(p[1], p[2]);
  for (size_t i = 0; i < 3; ++i) {
    const FixedPoint& a = p[i];
    const FixedPoint& b = p[(i + 1) % 3];
    const int64_t dx = b.x - a.x;
    const int64_t dy = b.y - a.y;
    const bool is_top_left = (dy == 0 && dx > 0) || dy < 0;
    triangle.corner[i] = (dy * a.x - dx * a.y - (is_top_left ? 0 : 1)) >> 8;
    triangle.dx[i] = static_cast<int32_t>(dx);
    triangle.dy[i] = static_cast<int32_t>(dy);
  }
}

PlaneSetup SetupOf(const std::array<FixedPoint, 3>& p) {
  PlaneSetup setup;
  const double x0 = Pixels(p[0].x);
  const double y0 = Pixels(p[0].y);
  setup.dx1 = Pixels(p[1].x) - x0;
  setup.dy1 = Pixels(p[1].y) - y0;
  setup.dx2 = Pixels(p[2].x) - x0;
  setup.dy2 = Pixels(p[2].y) - y0;
  setup.rdet = 1.0 / (setup.dx1 * setup.dy2 - setup.dx2 * setup.dy1);
  return setup;
}

}  // namespace

TriangleSetup::TriangleSetup(const Isa& isa, DrawQueue& queue, const QueuedDraw& draw,
                             raster::WorkBudget& work, raster::StageClock& clock)
    : kernels_(&RasterKernelsOf(isa)),
      queue_(&queue),
      draw_(&draw),
      work_(&work),
      clock_(&clock),
      steps_of_block_(1 + kQuadsOfBlock * (1 + draw.code->steps)) {
  const raster::FogSource fog = draw.plan.raster.fog;
  uint32_t i = 1;
  for (const PixelInput& component : draw.components) {
    const bool is_perspective =
        component.slot == kFogSlot
            ? fog == raster::FogSource::kFactor
            : (draw.plan.outputs.perspective_mask >> component.slot & 1U) != 0;
    if (is_perspective) perspective_ |= uint64_t{1} << i;
    const bool is_color =
        component.slot == raster::kDiffuseSlot || component.slot == raster::kSpecularSlot;
    if (is_color) flat_ |= uint64_t{1} << i;
    ++i;
  }
}

bool TriangleSetup::IsCulled(int64_t area2) const {
  const raster::RasterState& state = draw_->plan.raster;
  return area2 == 0 || (area2 > 0 ? state.culls_clockwise : state.culls_counter_clockwise);
}

void TriangleSetup::Polygon(const raster::ScreenVertex* vertices, uint32_t count,
                            uint32_t /*edges*/) {
  if (count < 3 || count > kMaxVertices) return;
  std::array<std::array<float, kMaxComponents>, kMaxVertices> components = {};
  std::array<Corner, kMaxVertices> corners;
  for (uint32_t i = 0; i < count; ++i) {
    const std::optional<FixedPoint> point = raster::Snap(vertices[i]);
    if (!point) return;
    float* to = components[i].data();
    corners[i] = {*point, vertices[i].z, to};
    *to++ = vertices[i].rhw;
    for (const PixelInput& component : draw_->components)
      *to++ = ValueOf(vertices[i], component, draw_->plan.raster.fog);
  }
  for (uint32_t i = 1; i + 1 < count; ++i)
    Triangle(corners[0], corners[i], corners[i + 1], false);
}

// Pixels whose centre may be inside; false where there are none.
bool TriangleSetup::SetBounds(const std::array<FixedPoint, 3>& p, fast::Triangle& triangle) const {
  const auto [min_x, max_x] = std::minmax({p[0].x, p[1].x, p[2].x});
  const auto [min_y, max_y] = std::minmax({p[0].y, p[1].y, p[2].y});
  const raster::PixelRect& clip = draw_->plan.raster.clip;
  const int64_t left = std::max((min_x + kSubpixels - 1) >> 8, clip.left);
  const int64_t top = std::max((min_y + kSubpixels - 1) >> 8, clip.top);
  const int64_t right = std::min((max_x >> 8) + 1, clip.right);
  const int64_t bottom = std::min((max_y >> 8) + 1, clip.bottom);
  triangle.left = static_cast<int32_t>(left);
  triangle.top = static_cast<int32_t>(top);
  triangle.right = static_cast<int32_t>(right);
  triangle.bottom = static_cast<int32_t>(bottom);
  return left < right && top < bottom;
}

// One block more on each side than the bounds have: what the reference may examine.
bool TriangleSetup::Pay(const fast::Triangle& triangle) {
  const auto columns = static_cast<uint64_t>((triangle.right - triangle.left) / kBlockSize + 3);
  const auto rows = static_cast<uint64_t>((triangle.bottom - triangle.top) / kBlockSize + 3);
  return work_->Spend(columns * rows * steps_of_block_);
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
  const DrawQueue::Mark mark = queue_->mark();
  fast::Triangle& square = queue_->AllocateTriangle(draw_->padded);
  // Edges that everything is inside of.
  square = {};
  square.left = first(vertex.x - half, clip.left, clip.right);
  square.right = first(vertex.x + half, clip.left, clip.right);
  square.top = first(vertex.y - half, clip.top, clip.bottom);
  square.bottom = first(vertex.y + half, clip.top, clip.bottom);
  square.is_front = 1;
  if (square.left >= square.right || square.top >= square.bottom || !Pay(square))
    return queue_->TakeBack(mark);
  // The quotient comes back as the same integer when it is quantised.
  if (draw_->quantizes) square.z0 = static_cast<double>(*depth) / draw_->depth.scale;
  std::array<float, kMaxComponents> components = {};
  float* to = components.data();
  *to++ = vertex.rhw;
  for (const PixelInput& component : draw_->components)
    *to++ = ValueOf(vertex, component, state.fog);
  kernels_->set_planes({}, components.data(), components.data(), components.data(), draw_->padded,
                       square);
  queue_->Bin(square);
}

void TriangleSetup::Triangle(const Corner& a, const Corner& b, const Corner& c, bool is_flat) {
  const std::array<FixedPoint, 3> points = {a.point, b.point, c.point};
  const int64_t area2 = raster::Area2(points[0], points[1], points[2]);
  if (IsCulled(area2) || work_->is_spent()) return;
  const DrawQueue::Mark mark = queue_->mark();
  fast::Triangle& triangle = queue_->AllocateTriangle(draw_->padded);
  if (!SetBounds(points, triangle)) return queue_->TakeBack(mark);
  if (!Pay(triangle)) return queue_->TakeBack(mark);
  triangle.is_front = area2 > 0 ? 1 : 0;
  SetEdges(points, triangle);
  PlaneSetup setup = SetupOf(points);
  triangle.x0 = Pixels(points[0].x);
  triangle.y0 = Pixels(points[0].y);
  if (draw_->quantizes) SetDepth(setup, a, b, c, triangle);
  setup.rhw[0] = a.components[0];
  setup.rhw[1] = b.components[0];
  setup.rhw[2] = c.components[0];
  const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  const bool is_affine =
      bits(setup.rhw[0]) == bits(setup.rhw[1]) && bits(setup.rhw[0]) == bits(setup.rhw[2]);
  setup.perspective = is_affine ? 0 : perspective_;
  setup.flat = is_flat ? flat_ : 0;
  kernels_->set_planes(setup, a.components, b.components, c.components, draw_->padded, triangle);
  clock_->Enter(raster::Stage::kBin);
  queue_->Bin(triangle);
  clock_->Enter(raster::Stage::kSetup);
}

void TriangleSetup::SetDepth(const PlaneSetup& setup, const Corner& a, const Corner& b,
                             const Corner& c, fast::Triangle& triangle) const {
  const raster::DepthRule& rule = draw_->plan.raster.depth;
  const auto z0 = double{a.z};
  const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  double zx = 0;
  double zy = 0;
  if (bits(a.z) != bits(b.z) || bits(a.z) != bits(c.z)) {
    const double d1 = double{b.z} - z0;
    const double d2 = double{c.z} - z0;
    zx = (d1 * setup.dy2 - d2 * setup.dy1) * setup.rdet;
    zy = (d2 * setup.dx1 - d1 * setup.dx2) * setup.rdet;
  }
  const double slope = raster::Max(Magnitude(zx), Magnitude(zy));
  const double slope_term = slope == 0 ? 0 : slope * rule.slope_bias;
  triangle.z0 = z0;
  triangle.zx = zx;
  triangle.zy = zy;
  triangle.bias = (rule.depth_bias + slope_term) + rule.z_bias;
  triangle.scaled_x = zx * rule.scale;
  triangle.scaled_y = zy * rule.scale;
}

}  // namespace dp2trace::fast
